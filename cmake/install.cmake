# install.cmake — what `cmake --install` gives. It is in three parts, which are packages of their own in
# packages.cmake: runtime starts programs, dev makes them, doc is to be read.

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME runtime)
install(TARGETS mpi EXPORT Starling LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        NAMELINK_COMPONENT dev)
if(TARGET starling_libfabric)
    install(TARGETS starling_libfabric LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/starling)
endif()
install(TARGETS mpiexec starling_info RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET starling_topo)
    install(TARGETS starling_topo RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES include/mpi.h include/mpi-ext.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT doc)
install(DIRECTORY doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/doc COMPONENT doc)

# One file under both sonames: a process with programs and libraries built against either never has
# two MPI states. -lstarling is a name that no other MPI's directory has. mpirun is mpiexec.
function(library_link LINK LIBRARY)
    set(PART dev)
    if(LINK MATCHES "[0-9]$")
        set(PART runtime)
    endif()
    file(CREATE_LINK ${LIBRARY} ${CMAKE_CURRENT_BINARY_DIR}/${LINK} SYMBOLIC)
    get_filename_component(FOLDER ${LINK} DIRECTORY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${LINK}
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/${FOLDER} COMPONENT ${PART})
endfunction()
foreach(LINK libmpich.so.12 libmpich.so libstarling.so)
    library_link(${LINK} libmpi.so.12)
endforeach()
# The wrapper compilers name this directory before all others for -lmpi, wherever that word comes from.
# It has nothing else, so that no other library of the prefix is preferred to one of a program.
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/starling/link)
foreach(LINK libmpi.so libmpich.so)
    library_link(starling/link/${LINK} ../../libmpi.so.12)
endforeach()
if(TARGET mpifort)
    include(cmake/install_fortran.cmake)
endif()
file(CREATE_LINK mpiexec ${CMAKE_CURRENT_BINARY_DIR}/mpirun SYMBOLIC)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mpirun DESTINATION ${CMAKE_INSTALL_BINDIR})

# The wrapper compilers. They and the .pc file find the prefix from where they stand, so that an
# installed tree may be moved.
function(up_from DIRECTORY RESULT)
    file(RELATIVE_PATH UP ${CMAKE_INSTALL_PREFIX}/${DIRECTORY} ${CMAKE_INSTALL_PREFIX})
    string(REGEX REPLACE "/$" "" UP "${UP}")
    set(${RESULT} ${UP} PARENT_SCOPE)
endfunction()
function(script NAME TEMPLATE)
    configure_file(cmake/${TEMPLATE}.in ${NAME} @ONLY)
    install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/${NAME} DESTINATION ${CMAKE_INSTALL_BINDIR}
            COMPONENT dev)
endfunction()
# The directory of starling.conf, for the wrapper compilers.
cmake_path(GET ETC PARENT_PATH ETC_DIRECTORY)
cmake_path(IS_RELATIVE ETC IS_MOVABLE)
if(IS_MOVABLE)
    string(PREPEND ETC_DIRECTORY "$lib/")
endif()
# LIBRARIES: their names without lib; the first is that of the language.
function(wrapper NAME VARIABLE COMPILER FALLBACK LIBRARIES)
    string(TOLOWER ${VARIABLE} OPTION)
    string(REPLACE "mpi" "starling" LIBS "${LIBRARIES}")
    set(FORTRAN no)
    if(LIBRARIES MATCHES mpifort)
        set(FORTRAN yes)
    endif()
    up_from(${CMAKE_INSTALL_BINDIR} UP)
    script(${NAME} wrapper)
endfunction()
wrapper(mpicc CC ${CMAKE_C_COMPILER} cc mpi)
set(CXX_COMPILER ${CMAKE_C_COMPILER})
foreach(PAIR "gcc;g++" "clang;clang++" "cc;c++")
    list(GET PAIR 0 C)
    list(GET PAIR 1 CXX)
    string(REGEX REPLACE "(^|[/-])${C}([-0-9.]*)$" "\\1${CXX}\\2" CXX_COMPILER ${CXX_COMPILER})
endforeach()
foreach(NAME mpicxx mpic++ mpiCC)
    wrapper(${NAME} CXX ${CXX_COMPILER} c++ mpi)
endforeach()
foreach(PAIR "mpifort;FC" "mpif90;F90" "mpif77;F77")
    list(GET PAIR 0 NAME)
    list(GET PAIR 1 VARIABLE)
    if(TARGET mpifort)
        wrapper(${NAME} ${VARIABLE} ${CMAKE_Fortran_COMPILER} gfortran "mpifort mpi")
    else()
        script(${NAME} fortran)
    endif()
endforeach()

# What mpichversion prints; DEVICE_WORDS are CMakeLists.txt's.
set(CONFIGURED_WITH "")
foreach(OPTION CMAKE_BUILD_TYPE CMAKE_INSTALL_LIBDIR STARLING_DEVICES STARLING_FORTRAN STARLING_HWLOC
        STARLING_LIBFABRIC STARLING_ERROR_CHECKS STARLING_LTO STARLING_COUNT_MEMORY)
    string(APPEND CONFIGURED_WITH "-D${OPTION}=${${OPTION}} ")
endforeach()
string(STRIP "${CONFIGURED_WITH}" CONFIGURED_WITH)
string(TOUPPER "${CMAKE_BUILD_TYPE}" TYPE)
string(STRIP "${CMAKE_C_COMPILER} ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${TYPE}}" COMPILED_WITH)
set(FORTRAN_COMPILED_WITH "none, built without Fortran")
if(TARGET mpifort)
    string(STRIP "${CMAKE_Fortran_COMPILER} ${CMAKE_Fortran_FLAGS} ${CMAKE_Fortran_FLAGS_${TYPE}}"
           FORTRAN_COMPILED_WITH)
endif()
script(mpichversion mpichversion)

# For shells and for environment modules.
up_from(${CMAKE_INSTALL_BINDIR} UP)
configure_file(cmake/starling-vars.sh.in starling-vars.sh @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/starling-vars.sh DESTINATION ${CMAKE_INSTALL_BINDIR})
set(MODULEFILES ${CMAKE_INSTALL_DATAROOTDIR}/modulefiles/starling)
up_from(${MODULEFILES} UP)
configure_file(cmake/modulefile.in modulefile @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/modulefile DESTINATION ${MODULEFILES}
        RENAME ${PROJECT_VERSION})

# Under the names that build tools ask for, too: theirs would be another MPI's.
up_from(${CMAKE_INSTALL_LIBDIR}/pkgconfig UP)
function(pkgconfig TEMPLATE)
    foreach(NAME ${ARGN})
        configure_file(cmake/${TEMPLATE}.pc.in ${NAME}.pc @ONLY)
        install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.pc
                DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
    endforeach()
endfunction()
set(PC_NAME "Starling")
set(PC_LIBS "-lstarling")
pkgconfig(starling starling mpich mpi mpi-c mpi-cxx ompi ompi-c ompi-cxx)
if(TARGET mpifort)
    set(PC_NAME "Starling for Fortran")
    set(PC_LIBS "-lstarlingfort -lstarling")
    set(PC_MODULES " -I\${includedir}/starling/${FORTRAN_NAME}")
    if(FORTRAN_LOOSE)
        string(APPEND PC_MODULES " ${FORTRAN_LOOSE}")
    endif()
    pkgconfig(starling starling-fort mpi-fort ompi-fort)
else()
    pkgconfig(fortran mpi-fort ompi-fort)
endif()

include(CMakePackageConfigHelpers)
write_basic_package_version_file(StarlingConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(EXPORT Starling NAMESPACE Starling:: FILE StarlingTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Starling COMPONENT dev)
configure_file(cmake/StarlingConfig.cmake.in StarlingConfig.cmake COPYONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/StarlingConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/StarlingConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Starling COMPONENT dev)
