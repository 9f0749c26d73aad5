# fortran.cmake — the Fortran library, where there is a Fortran compiler.
#
# All its procedures are in C. The modules' own procedures (operators, MPI_SIZEOF) are in the library,
# too, where gfortran compiles them: under the names that MPICH's modules have. For other compilers
# cmake/fortran-modules.in makes modules and their procedures when they are needed.
#
# STARLING_FORTRAN: AUTO builds it where there is a compiler, ON fails without one, OFF looks for none.
# AUTO leaves it out with another C compiler than gcc: its link-time optimization and sanitizers do not
# go with gfortran's.
include(CheckCCompilerFlag)
include(CheckLanguage)

set(STARLING_FORTRAN AUTO CACHE STRING "Build the Fortran library: AUTO, ON or OFF")
set_property(CACHE STARLING_FORTRAN PROPERTY STRINGS AUTO ON OFF)
set(FORTRAN_REPORT "not built, STARLING_FORTRAN is OFF")
if(NOT STARLING_FORTRAN MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "STARLING_FORTRAN is ${STARLING_FORTRAN}: AUTO, ON and OFF are known")
elseif(STARLING_FORTRAN STREQUAL "OFF")
    unset(CMAKE_Fortran_COMPILER CACHE)
elseif(STARLING_FORTRAN STREQUAL "AUTO" AND NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(FORTRAN_REPORT "not built, AUTO leaves it out with a C compiler that is not gcc")
    unset(CMAKE_Fortran_COMPILER CACHE)
else()
    if(NOT CMAKE_Fortran_COMPILER AND NOT CMAKE_CROSSCOMPILING)
        unset(CMAKE_Fortran_COMPILER CACHE) # one may have been installed since
        check_language(Fortran)
    endif()
    set(FORTRAN_REPORT "not built, there is no Fortran compiler; C and C++ are complete without")
    if(STARLING_FORTRAN STREQUAL "ON" AND NOT CMAKE_Fortran_COMPILER)
        message(FATAL_ERROR "There is no Fortran compiler: `tools/install-deps fortran`, \
or -DSTARLING_FORTRAN=OFF")
    endif()
endif()
if(NOT STARLING_FORTRAN STREQUAL "OFF" AND CMAKE_Fortran_COMPILER)
    # Programs in Fortran are linked with these, too.
    set(CMAKE_Fortran_FLAGS_ASAN "-O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer"
        CACHE STRING "")
    set(CMAKE_Fortran_FLAGS_TSAN "-O1 -g -fsanitize=thread -fno-omit-frame-pointer" CACHE STRING "")
    enable_language(Fortran)
    set(FORTRAN_REPORT "built by ${CMAKE_Fortran_COMPILER_ID} ${CMAKE_Fortran_COMPILER_VERSION}")

    file(GLOB FORTRAN_TOOLS CONFIGURE_DEPENDS ${TOOLS}/fortran/fortran_*.py)
    set(FORTRAN_DIR ${CMAKE_CURRENT_BINARY_DIR}/fortran)
    file(MAKE_DIRECTORY ${FORTRAN_DIR})
    function(fortran_file WHAT NAME)
        add_custom_command(OUTPUT ${FORTRAN_DIR}/${NAME}
            DEPENDS ${TOOLS}/fortran/gen_fortran.py ${FORTRAN_TOOLS} ${TOOLS}/generate/mpi_h.py ${MPI_H}
            COMMAND Python3::Interpreter ${TOOLS}/fortran/gen_fortran.py ${MPI_H} ${WHAT}
                    ${FORTRAN_DIR}/${NAME})
    endfunction()
    fortran_file(calls fortran_calls.c)
    fortran_file(sections fortran_sections.c)
    fortran_file(mpif mpif.h)
    fortran_file(mpi mpi.f90)
    fortran_file(f08 mpi_f08.f90)
    fortran_file(wrappers mpi_f08_wrappers.f90)
    file(GLOB FORTRAN CONFIGURE_DEPENDS src/mpi/fortran/*.c)
    set(MODULES ${FORTRAN_DIR}/mpi.f90 ${FORTRAN_DIR}/mpi_f08.f90)
    set(FORTRAN_MODULES OFF)
    if(CMAKE_Fortran_COMPILER_ID STREQUAL GNU)
        set(FORTRAN_MODULES ON)
    else()
        set_source_files_properties(${MODULES} PROPERTIES HEADER_FILE_ONLY ON)
    endif()
    string(REGEX MATCH "^[0-9]+" FORTRAN_NAME "${CMAKE_Fortran_COMPILER_VERSION}")
    set(FORTRAN_NAME gfortran-${FORTRAN_NAME})
    add_library(mpifort SHARED ${FORTRAN} ${FORTRAN_DIR}/fortran_calls.c
                ${FORTRAN_DIR}/fortran_sections.c ${FORTRAN_DIR}/mpif.h ${MODULES}
                ${FORTRAN_DIR}/mpi_f08_wrappers.f90)
    # The wrappers are for other compilers, which take them as a source.
    set_source_files_properties(${FORTRAN_DIR}/mpi_f08_wrappers.f90 PROPERTIES HEADER_FILE_ONLY ON)
    set_target_properties(mpifort PROPERTIES VERSION 12.0.0 SOVERSION 12 LINKER_LANGUAGE C
                          Fortran_MODULE_DIRECTORY ${FORTRAN_DIR}/modules)
    # The short ways to C's functions: no stub of the linker, the stack pointer moves only twice.
    set(SHORT)
    foreach(FLAG -fno-plt -maccumulate-outgoing-args)
        string(MAKE_C_IDENTIFIER "HAVE${FLAG}" HAVE)
        check_c_compiler_flag(${FLAG} ${HAVE})
        if(${HAVE})
            list(APPEND SHORT ${FLAG})
        endif()
    endforeach()
    set_source_files_properties(${FORTRAN_DIR}/fortran_calls.c ${FORTRAN_DIR}/fortran_sections.c
                                PROPERTIES COMPILE_OPTIONS "${SHORT}")
    # COMMON blocks are those of the program.
    target_compile_options(mpifort PRIVATE $<$<COMPILE_LANGUAGE:C>:-fno-common;-fno-lto>)
    target_compile_definitions(mpifort PRIVATE STARLING_FORTRAN_TRUE=1)
    target_include_directories(mpifort PRIVATE ${SRC} include
                               PUBLIC $<BUILD_INTERFACE:${FORTRAN_DIR}>
                                      $<BUILD_INTERFACE:${FORTRAN_DIR}/modules>
                                      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(mpifort PUBLIC mpi)
    # As the wrapper compilers do, for mpif.h.
    set(FORTRAN_LOOSE "")
    if(FORTRAN_MODULES AND NOT CMAKE_Fortran_COMPILER_VERSION VERSION_LESS 10)
        set(FORTRAN_LOOSE -fallow-argument-mismatch)
        target_compile_options(mpifort INTERFACE
                               $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:Fortran>:${FORTRAN_LOOSE}>>)
    endif()
endif()
message(STATUS "Fortran: ${FORTRAN_REPORT}")
