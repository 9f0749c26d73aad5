# install_fortran.cmake — what `cmake --install` gives for Fortran.

# A program need not be linked to libmpi itself: its RUNPATH would not be asked for that.
set_target_properties(mpifort PROPERTIES EXPORT_NAME fortran_library INSTALL_RPATH "$ORIGIN")
install(TARGETS mpifort EXPORT Starling LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(LINK libmpichfort.so.12 libmpichfort.so libstarlingfort.so)
    file(CREATE_LINK libmpifort.so.12 ${CMAKE_CURRENT_BINARY_DIR}/${LINK} SYMBOLIC)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${LINK} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
# As for libmpi.so: the wrapper compilers name this directory before all others.
foreach(LINK libmpifort.so libmpichfort.so)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/link)
    file(CREATE_LINK ../../libmpifort.so.12 ${CMAKE_CURRENT_BINARY_DIR}/link/${LINK} SYMBOLIC)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/link/${LINK}
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/starling/link)
endforeach()
install(FILES ${FORTRAN_DIR}/mpif.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Modules of the compiler that built the library, and the sources for all others.
if(FORTRAN_MODULES)
    install(DIRECTORY ${FORTRAN_DIR}/modules/
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/starling/${FORTRAN_NAME}
            FILES_MATCHING PATTERN "*.mod")
endif()
install(FILES ${FORTRAN_DIR}/mpi.f90 ${FORTRAN_DIR}/mpi_f08.f90 ${FORTRAN_DIR}/mpi_f08_wrappers.f90
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/starling/fortran)
string(REGEX REPLACE "[^/]+" ".." UP ${CMAKE_INSTALL_LIBDIR}/starling)
configure_file(cmake/fortran-modules.in fortran-modules @ONLY)
install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/fortran-modules
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/starling)
