# Modules mpi and mpi_f08: semantics.md L01 to L04, L12 to L14.

# What must compile, and what must not: for the compiler of this build, and for others that are here.
set(FORTRAN_ ${CMAKE_Fortran_COMPILER})
set(COMPILERS "")
foreach(C "" gfortran-11 gfortran-12 flang-new-19)
    if(C)
        find_program(FORTRAN_${C} ${C})
    endif()
    if(FORTRAN_${C})
        get_filename_component(P ${FORTRAN_${C}} REALPATH)
        list(APPEND COMPILERS ${P})
    endif()
endforeach()
list(REMOVE_DUPLICATES COMPILERS)
foreach(C ${COMPILERS})
    get_filename_component(N ${C} NAME)
    sized_test(landing NAME fortran_compiler_${N} COMMAND Python3::Interpreter -B
             ${CMAKE_CURRENT_SOURCE_DIR}/compilers.py ${C} ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR}
             ${FORTRAN_DIR}/mpi.f90 ${FORTRAN_DIR}/mpi_f08.f90)
    set_tests_properties(fortran_compiler_${N} PROPERTIES TIMEOUT 180 LABELS "api;fortran")
endforeach()

# module_test(NAME source...): a program that needs no other process.
function(module_test NAME)
    add_executable(fortran_${NAME} ${ARGN})
    target_link_libraries(fortran_${NAME} PRIVATE mpifort)
    set_target_properties(fortran_${NAME} PROPERTIES LINKER_LANGUAGE Fortran
                          Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${NAME})
    sized_test(landing NAME fortran_${NAME} COMMAND fortran_${NAME})
    set_tests_properties(fortran_${NAME} PROPERTIES TIMEOUT ${LIMIT} LABELS "api;fortran;modules")
endfunction()

module_test(operators_mpi operators_mpi.f90)
module_test(operators_f08 operators_f08.f90)
module_test(deprecated_f08 deprecated_f08.f90)
if(FORTRAN_MODULES)
    foreach(T tools_f08 methods)
        module_test(${T} ${T}.f90 ${T}_c.c checks.f)
        target_compile_options(fortran_${T} PRIVATE $<$<COMPILE_LANGUAGE:Fortran>:-w>)
    endforeach()
endif()
module_test(copies_mpi copies_mpi.f90 copies_mpi_c.c)
# More kinds of REAL than the standard's two.
set(KINDS "")
if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
    set(KINDS 16)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
        list(APPEND KINDS 10)
    endif()
endif()
foreach(M mpi mpi_f08)
    set(B ${CMAKE_CURRENT_BINARY_DIR}/constants_${M})
    add_custom_command(OUTPUT ${B}.f90 ${B}.c
        DEPENDS gen_constants.py ${TOOLS}/generate/mpi_h.py ${MPI_H}
        COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/gen_constants.py ${TOOLS} ${MPI_H}
                ${M} ${B}.f90 ${B}.c)
    module_test(constants_${M} ${B}.f90 ${B}.c)
    set(B ${CMAKE_CURRENT_BINARY_DIR}/sizeof_${M})
    add_custom_command(OUTPUT ${B}.f90 DEPENDS gen_sizeof.py
        COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/gen_sizeof.py ${M} ${B}.f90 ${KINDS})
    module_test(sizeof_${M} ${B}.f90)
    # Thousands of calls in one procedure: a minute with optimization, three with sanitizers.
    set_source_files_properties(${B}.f90 PROPERTIES COMPILE_OPTIONS "-O0")
    if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
        set_property(SOURCE ${B}.f90 APPEND PROPERTY COMPILE_OPTIONS "-fno-sanitize=all")
    endif()
endforeach()
