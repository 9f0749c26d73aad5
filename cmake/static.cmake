# static.cmake — mpiexec without shared libraries: it then runs wherever its file can be read, also
# where those that it was built with are missing. Sanitizers need shared libraries.

option(STARLING_STATIC_MPIEXEC "Link mpiexec statically, where libc.a is there" ON)
unset(HAVE_STATIC_PIE CACHE) # libc.a may have come, or gone
set(STATIC_MPIEXEC OFF)
if(STARLING_STATIC_MPIEXEC AND NOT STARLING_FUZZ AND NOT CMAKE_BUILD_TYPE MATCHES "^([Aa]san|[Tt]san)$")
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_QUIET ON)
    set(CMAKE_REQUIRED_FLAGS -fPIE)
    set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
    check_c_source_compiles("int main(void) { return 0; }" HAVE_STATIC_PIE)
    set(STATIC_MPIEXEC ${HAVE_STATIC_PIE})
    unset(CMAKE_REQUIRED_FLAGS)
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
endif()
if(STATIC_MPIEXEC)
    message(STATUS "mpiexec: static")
endif()
