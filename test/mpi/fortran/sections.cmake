# Sections of arrays. The programs in C make descriptors themselves, as gfortran does.
foreach(T p2p coll rma_io bad threads)
    if(T STREQUAL threads)
        mpi_test(fortran_sections_${T} SOURCES sections_${T}.c NP 1 2 LABELS threads known)
        target_link_libraries(mpi_fortran_sections_${T} PRIVATE Threads::Threads)
    else()
        mpi_test(fortran_sections_${T} SOURCES sections_${T}.c NP 1 2 3 LABELS errors known)
    endif()
    target_include_directories(mpi_fortran_sections_${T} PRIVATE ${SRC})
    target_compile_definitions(mpi_fortran_sections_${T} PRIVATE STARLING_FORTRAN_TRUE=1)
    target_link_libraries(mpi_fortran_sections_${T} PRIVATE mpifort)
endforeach()

# fortran_program(NAME source...): a program in Fortran.
function(fortran_program NAME)
    add_executable(${NAME} ${ARGN})
    target_link_libraries(${NAME} PRIVATE mpifort)
    set_target_properties(${NAME} PROPERTIES LINKER_LANGUAGE Fortran
                          Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.modules)
    add_dependencies(mpi_programs ${NAME})
endfunction()

if(FORTRAN_MODULES)
    # The second form goes through the wrappers for other compilers.
    fortran_program(fortran_sections sections.f90)
    fortran_program(fortran_sections_wrapped sections.f90 ${FORTRAN_DIR}/mpi_f08_wrappers.f90)
    set_source_files_properties(${FORTRAN_DIR}/mpi_f08_wrappers.f90 PROPERTIES GENERATED ON)
    sized_test(landing NAME fortran_sections COMMAND mpiexec -n 2 $<TARGET_FILE:fortran_sections>)
    sized_test(landing NAME fortran_sections_wrapped
             COMMAND mpiexec -n 2 $<TARGET_FILE:fortran_sections_wrapped> wrapped)
    foreach(T fortran_sections fortran_sections_wrapped)
        set_tests_properties(${T} PROPERTIES TIMEOUT ${LIMIT} ENVIRONMENT "${STRICT}" LABELS
                             "mpi;np2;known")
    endforeach()
endif()
