# install.cmake — what `cmake --install` gives.

install(TARGETS mpi EXPORT Starling LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET starling_libfabric)
    install(TARGETS starling_libfabric LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/starling)
endif()
install(TARGETS mpiexec starling_info RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES include/mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# One file under both sonames: a process with programs and libraries built against either never has
# two MPI states. mpirun is mpiexec.
foreach(LINK libmpich.so.12 libmpich.so)
    file(CREATE_LINK libmpi.so.12 ${CMAKE_CURRENT_BINARY_DIR}/${LINK} SYMBOLIC)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${LINK} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
file(CREATE_LINK mpiexec ${CMAKE_CURRENT_BINARY_DIR}/mpirun SYMBOLIC)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mpirun DESTINATION ${CMAKE_INSTALL_BINDIR})

# The wrapper compilers. They and the .pc file find the prefix from where they stand, so that an
# installed tree may be moved.
function(up_from DIRECTORY RESULT)
    file(RELATIVE_PATH UP ${CMAKE_INSTALL_PREFIX}/${DIRECTORY} ${CMAKE_INSTALL_PREFIX})
    string(REGEX REPLACE "/$" "" UP "${UP}")
    set(${RESULT} ${UP} PARENT_SCOPE)
endfunction()
function(wrapper NAME VARIABLE COMPILER FALLBACK)
    up_from(${CMAKE_INSTALL_BINDIR} UP)
    configure_file(cmake/wrapper.in ${NAME} @ONLY)
    install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/${NAME} DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
wrapper(mpicc CC ${CMAKE_C_COMPILER} cc)
set(CXX_COMPILER ${CMAKE_C_COMPILER})
foreach(PAIR "gcc;g++" "clang;clang++" "cc;c++")
    list(GET PAIR 0 C)
    list(GET PAIR 1 CXX)
    string(REGEX REPLACE "(^|[/-])${C}([-0-9.]*)$" "\\1${CXX}\\2" CXX_COMPILER ${CXX_COMPILER})
endforeach()
wrapper(mpicxx CXX ${CXX_COMPILER} c++)

up_from(${CMAKE_INSTALL_LIBDIR}/pkgconfig UP)
configure_file(cmake/starling.pc.in starling.pc @ONLY)
foreach(NAME starling mpich)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/starling.pc RENAME ${NAME}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

include(CMakePackageConfigHelpers)
write_basic_package_version_file(StarlingConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(EXPORT Starling NAMESPACE Starling:: FILE StarlingConfig.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Starling)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/StarlingConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Starling)
