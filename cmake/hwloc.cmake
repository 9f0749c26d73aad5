# hwloc.cmake — STARLING_HWLOC: whether src/platform/place.c and starling_topo ask hwloc. AUTO: where
# the headers are. ON: configuring fails without them. OFF: neither headers nor library are looked for.

set(STARLING_HWLOC AUTO CACHE STRING "Know the parts of the machine by hwloc: AUTO, ON or OFF")
set_property(CACHE STARLING_HWLOC PROPERTY STRINGS AUTO ON OFF)
set(HWLOC_REPORT "not built in, STARLING_HWLOC is OFF")
unset(HAVE_HWLOC CACHE) # the headers may have come, or gone
unset(HAVE_HWLOC_LIBRARY CACHE)
if(NOT STARLING_HWLOC MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "STARLING_HWLOC is ${STARLING_HWLOC}: AUTO, ON and OFF are known")
elseif(NOT STARLING_HWLOC STREQUAL "OFF")
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_QUIET ON)
    check_c_source_compiles("
        #include <hwloc.h>
        #if HWLOC_API_VERSION < 0x20000
        #error
        #endif
        int main(void) { return 0; }" HAVE_HWLOC)
    if(HAVE_HWLOC) # headers of another architecture are found without a library to link
        set(CMAKE_REQUIRED_LIBRARIES hwloc)
        check_c_source_compiles("
            #include <hwloc.h>
            int main(void) { return !hwloc_get_api_version(); }" HAVE_HWLOC_LIBRARY)
        unset(CMAKE_REQUIRED_LIBRARIES)
        set(HWLOC_REPORT "built in, libhwloc.so.15 is loaded when it is needed")
    elseif(STARLING_HWLOC STREQUAL "AUTO")
        set(HWLOC_REPORT "not built in, the compiler finds no hwloc.h of hwloc 2")
    else()
        message(FATAL_ERROR "The compiler finds no hwloc.h of hwloc 2: `tools/install-deps hwloc`, \
or -DSTARLING_HWLOC=OFF")
    endif()
endif()
add_compile_definitions(HAVE_HWLOC=$<BOOL:${HAVE_HWLOC}>)
message(STATUS "hwloc: ${HWLOC_REPORT}")
