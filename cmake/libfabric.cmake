# libfabric.cmake — the libfabric device is built by default where libfabric's headers are.

set(HAVE_LIBFABRIC "")
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(LIBFABRIC QUIET IMPORTED_TARGET libfabric>=1.9)
endif()
if(LIBFABRIC_FOUND)
    set(HAVE_LIBFABRIC ";libfabric")
elseif(NOT DEFINED STARLING_DEVICES)
    message(STATUS "Without the libfabric device: its headers are not here")
endif()
