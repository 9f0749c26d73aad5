# mpif.h and the C functions that Fortran calls: semantics.md L01, L05 to L11, L15.

# Programs as users have them, unused names and equal REALs included.
set(MPIF_OPTIONS "$<$<COMPILE_LANGUAGE:Fortran>:-w>")

# mpif_test(NAME NP source...): a program of sources in Fortran, valid in both forms, and of C
# sources. It is compiled in fixed and in free form; its modules are those of mpif.h.
function(mpif_test NAME NP)
    foreach(FORM fixed free)
        set(SOURCES "")
        foreach(S checks.f ${ARGN})
            if(S MATCHES "\\.f$" AND FORM STREQUAL "free")
                set(FREE ${CMAKE_CURRENT_BINARY_DIR}/${NAME}/${S}90)
                configure_file(${S} ${FREE} COPYONLY)
                list(APPEND SOURCES ${FREE})
            else()
                list(APPEND SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/${S})
            endif()
        endforeach()
        set(T fortran_${NAME}_${FORM})
        add_executable(${T} ${SOURCES})
        set_target_properties(${T} PROPERTIES LINKER_LANGUAGE Fortran)
        target_link_libraries(${T} PRIVATE mpifort)
        target_compile_options(${T} PRIVATE ${MPIF_OPTIONS})
        file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${NAME}/${FORM}) # for the files that it makes
        sized_test(landing NAME ${T} COMMAND mpiexec -n ${NP} $<TARGET_FILE:${T}>
                 WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${NAME}/${FORM})
        set_tests_properties(${T} PROPERTIES TIMEOUT ${LIMIT} ENVIRONMENT "${STRICT}"
                             LABELS "mpi;fortran;np${NP}")
    endforeach()
endfunction()

mpif_test(strings 1 strings.f strings_c.c)
mpif_test(values 2 values.f values_c.c)
mpif_test(truths 1 truths.f truths_c.c)
mpif_test(callbacks 1 callbacks.f callbacks_c.c)
mpif_test(attributes 1 attributes.f attributes_c.c)
mpif_test(tool 1 tool.f tool_c.c)
mpif_test(loose 2 loose.f)
foreach(T values truths callbacks) # wrong calls are in them
    set_property(TEST fortran_${T}_fixed fortran_${T}_free APPEND PROPERTY LABELS errors)
endforeach()

add_executable(fortran_own own.f90 checks.f)
target_link_libraries(fortran_own PRIVATE mpifort)
target_compile_options(fortran_own PRIVATE ${MPIF_OPTIONS})
set_target_properties(fortran_own PROPERTIES Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/own)
sized_test(landing NAME fortran_own COMMAND mpiexec -n 1 $<TARGET_FILE:fortran_own>)
set_tests_properties(fortran_own PROPERTIES TIMEOUT ${LIMIT} ENVIRONMENT "${STRICT}"
                     LABELS "mpi;fortran;np1")

# Sentinels in a C program, by link-time optimization, and from an archive.
add_executable(fortran_c_main c_main.c)
target_link_libraries(fortran_c_main PRIVATE -Wl,--no-as-needed mpifort)
add_library(fortran_sentinels_archive STATIC sentinels.f sentinels_c.c)
target_link_libraries(fortran_sentinels_archive PUBLIC mpifort)
add_executable(fortran_sentinels_static sentinels_main.f)
target_link_libraries(fortran_sentinels_static PRIVATE fortran_sentinels_archive)
add_executable(fortran_sentinels_lto sentinels_main.f sentinels.f sentinels_c.c)
target_link_libraries(fortran_sentinels_lto PRIVATE mpifort)
foreach(T archive static lto)
    target_compile_options(fortran_sentinels_${T} PRIVATE ${MPIF_OPTIONS})
endforeach()
target_compile_options(fortran_sentinels_lto PRIVATE -flto -O2)
target_link_options(fortran_sentinels_lto PRIVATE -flto -O2)
foreach(T c_main sentinels_static sentinels_lto)
    sized_test(landing NAME fortran_${T} COMMAND mpiexec -n 1 $<TARGET_FILE:fortran_${T}>)
    set_tests_properties(fortran_${T} PROPERTIES TIMEOUT ${LIMIT} ENVIRONMENT "${STRICT}"
                         LABELS "mpi;fortran;np1")
endforeach()

sized_test(landing NAME fortran_exports COMMAND Python3::Interpreter -B
         ${CMAKE_CURRENT_SOURCE_DIR}/exports.py ${TOOLS} ${MPI_H} $<TARGET_FILE:mpifort>)
set_tests_properties(fortran_exports PROPERTIES TIMEOUT ${LIMIT} LABELS "api;fortran")
