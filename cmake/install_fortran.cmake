# install_fortran.cmake — what `cmake --install` gives for Fortran.

# A program need not be linked to libmpi itself: its RUNPATH would not be asked for that.
set_target_properties(mpifort PROPERTIES EXPORT_NAME fortran_library INSTALL_RPATH "$ORIGIN")
install(TARGETS mpifort EXPORT Starling LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        NAMELINK_COMPONENT dev)
foreach(LINK libmpichfort.so.12 libmpichfort.so libstarlingfort.so)
    library_link(${LINK} libmpifort.so.12)
endforeach()
# As for libmpi.so: the wrapper compilers name this directory before all others.
foreach(LINK libmpifort.so libmpichfort.so)
    library_link(starling/link/${LINK} ../../libmpifort.so.12)
endforeach()
install(FILES ${FORTRAN_DIR}/mpif.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)

# Modules of the compiler that built the library, and the sources for all others.
if(FORTRAN_MODULES)
    install(DIRECTORY ${FORTRAN_DIR}/modules/
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/starling/${FORTRAN_NAME} COMPONENT dev
            FILES_MATCHING PATTERN "*.mod")
endif()
install(FILES ${FORTRAN_DIR}/mpi.f90 ${FORTRAN_DIR}/mpi_f08.f90 ${FORTRAN_DIR}/mpi_f08_wrappers.f90
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/starling/fortran COMPONENT dev)
string(REGEX REPLACE "[^/]+" ".." UP ${CMAKE_INSTALL_LIBDIR}/starling)
configure_file(cmake/fortran-modules.in fortran-modules @ONLY)
install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/fortran-modules
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/starling COMPONENT dev)
