# static.cmake — mpiexec without shared libraries: it then runs wherever its file can be read, also
# where those that it was built with are missing. Sanitizers need shared libraries.

include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_QUIET ON)
option(STARLING_STATIC_MPIEXEC "Link mpiexec statically, where libc.a is there" ON)
unset(HAVE_STATIC_PIE CACHE) # libc.a may have come, or gone
set(STATIC_MPIEXEC OFF)
if(STARLING_STATIC_MPIEXEC AND NOT STARLING_FUZZ AND NOT CMAKE_BUILD_TYPE MATCHES "^([Aa]san|[Tt]san)$")
    set(CMAKE_REQUIRED_FLAGS -fPIE)
    set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
    check_c_source_compiles("int main(void) { return 0; }" HAVE_STATIC_PIE)
    set(STATIC_MPIEXEC ${HAVE_STATIC_PIE})
    unset(CMAKE_REQUIRED_FLAGS)
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
endif()

# Proxies that srun starts are reached over a network, sealed by libsodium. Its archive is linked: a
# static program opens no libraries, and another one need not.
find_library(SODIUM_A libsodium.a)
mark_as_advanced(SODIUM_A)
unset(HAVE_SODIUM_A CACHE)
if(SODIUM_A)
    set(CMAKE_REQUIRED_LIBRARIES ${SODIUM_A})
    check_c_source_compiles("
        #include <sodium.h>
        int main(void) { return sodium_init(); }" HAVE_SODIUM_A)
    unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(NOT HAVE_SODIUM_A)
    message(STATUS "mpiexec: without srun, since libsodium.a or sodium.h is not there")
endif()
if(STATIC_MPIEXEC)
    message(STATUS "mpiexec: static")
endif()
