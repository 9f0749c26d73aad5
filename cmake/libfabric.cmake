# libfabric.cmake — STARLING_LIBFABRIC: whether the libfabric device is built. AUTO: where the
# headers are. ON: configuring fails without them, as it does where STARLING_DEVICES was set to a
# list with libfabric in it. OFF: they are not looked for.

set(STARLING_LIBFABRIC AUTO CACHE STRING "Build the libfabric device: AUTO, ON or OFF")
set_property(CACHE STARLING_LIBFABRIC PROPERTY STRINGS AUTO ON OFF)
if(NOT STARLING_LIBFABRIC MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "STARLING_LIBFABRIC is ${STARLING_LIBFABRIC}: AUTO, ON and OFF are known")
elseif(STARLING_LIBFABRIC STREQUAL "OFF")
    list(REMOVE_ITEM STARLING_DEVICES libfabric)
elseif(STARLING_LIBFABRIC STREQUAL "ON" AND NOT "libfabric" IN_LIST STARLING_DEVICES)
    list(APPEND STARLING_DEVICES libfabric)
endif()

set(LIBFABRIC_REPORT "not built in, STARLING_LIBFABRIC is OFF")
if("libfabric" IN_LIST STARLING_DEVICES)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_check_modules(LIBFABRIC QUIET IMPORTED_TARGET libfabric>=1.9)
    endif()
    if(LIBFABRIC_FOUND)
        set(LIBFABRIC_REPORT "built in, with the headers of ${LIBFABRIC_VERSION}")
    elseif(STARLING_LIBFABRIC STREQUAL "AUTO" AND STARLING_DEVICES STREQUAL ALL_DEVICES)
        list(REMOVE_ITEM STARLING_DEVICES libfabric)
        set(LIBFABRIC_REPORT "not built in, pkg-config finds no libfabric 1.9 or newer")
    else()
        message(FATAL_ERROR "pkg-config finds no headers of libfabric 1.9 or newer: \
`tools/install-deps libfabric`, or -DSTARLING_LIBFABRIC=OFF")
    endif()
elseif(NOT STARLING_LIBFABRIC STREQUAL "OFF")
    set(LIBFABRIC_REPORT "not built in, STARLING_DEVICES does not name it")
endif()
message(STATUS "libfabric: ${LIBFABRIC_REPORT}")
