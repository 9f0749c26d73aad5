# Programs that spawn.
mpi_tests(dynamic spawn spawn_collectives spawn_kept spawn_multiple spawn_objects NP 1 3)
# Without libfabric: a process alone opens it for any network when it is connected, and there is none.
mpi_tests(dynamic spawn_introduced spawn_self spawn_tree NP 1 3 DEVICES shm sockets)
mpi_tests(dynamic spawn_threads NP 1 2 4 DEVICES shm sockets LABELS threads)
# On several hosts the launcher is hydra, which does not tell that a program could not be started, and
# waits after some spawns in a row.
mpi_tests(dynamic spawn_errors spawn_early NP 1 3 DEVICES shm sockets LABELS errors known node)
mpi_tests(dynamic spawn_info NP 1 3 DEVICES shm sockets LABELS node)
mpi_tests(dynamic spawn_loop NP 1 4 DEVICES shm sockets LABELS node TIMEOUT ${LONG_LIMIT})
if(NOT STARLING_ORACLE)
    mpi_program(mpi_dynamic_spawn_ends spawn_ends.c)
    foreach(D shm sockets)
        foreach(T ends killed)
            if(D IN_LIST STARLING_DEVICES)
                sized_test(landing NAME dynamic_spawn_${T}_${D} COMMAND Python3::Interpreter -B
                         ${CMAKE_CURRENT_SOURCE_DIR}/spawn_${T}_test.py $<TARGET_FILE:mpiexec>
                         $<TARGET_FILE:mpi_dynamic_spawn_ends>)
                set_tests_properties(dynamic_spawn_${T}_${D} PROPERTIES TIMEOUT ${LONG_LIMIT}
                                     LABELS "mpi;${D};fault" ENVIRONMENT "STARLING_DEVICES=${D};${STRICT}")
            endif()
        endforeach()
    endforeach()
    mpi_program(mpi_dynamic_spawn_single spawn_single.c)
    set(PROGRAMS "")
    foreach(T spawn_ends spawn_single spawn spawn_collectives spawn_self spawn_threads spawn_loop)
        list(APPEND PROGRAMS $<TARGET_FILE:mpi_dynamic_${T}>)
    endforeach()
    foreach(D shm sockets)
        if(D IN_LIST STARLING_DEVICES)
            sized_test(landing NAME dynamic_spawn_single_${D} COMMAND Python3::Interpreter -B
                     ${CMAKE_CURRENT_SOURCE_DIR}/spawn_single_test.py $<TARGET_FILE:mpiexec>
                     $<TARGET_SONAME_FILE:mpi> ${PROGRAMS})
            set_tests_properties(dynamic_spawn_single_${D} PROPERTIES TIMEOUT ${LONG_LIMIT}
                                 LABELS "mpi;${D};fault" ENVIRONMENT "STARLING_DEVICES=${D};${STRICT}")
        endif()
    endforeach()
    sized_test(landing NAME dynamic_spawn_launchers COMMAND Python3::Interpreter -B
             ${CMAKE_CURRENT_SOURCE_DIR}/spawn_launchers_test.py $<TARGET_FILE:mpi_dynamic_spawn_collectives>
             $<TARGET_FILE:mpi_dynamic_spawn> $<TARGET_FILE:mpi_dynamic_spawn_multiple>)
    set_tests_properties(dynamic_spawn_launchers PROPERTIES TIMEOUT ${LIMIT} LABELS "mpi;pmix"
                         SKIP_RETURN_CODE 77)
    if("shm" IN_LIST STARLING_DEVICES AND "sockets" IN_LIST STARLING_DEVICES)
        set(PROGRAMS "")
        foreach(T spawn spawn_collectives spawn_early spawn_errors spawn_loop spawn_self spawn_tree)
            list(APPEND PROGRAMS $<TARGET_FILE:mpi_dynamic_${T}>)
        endforeach()
        sized_test(landing NAME dynamic_spawn_hosts COMMAND Python3::Interpreter -B
                 ${CMAKE_CURRENT_SOURCE_DIR}/spawn_hosts_test.py ${PROJECT_SOURCE_DIR}/test/fault
                 $<TARGET_FILE:mpiexec> ${PROGRAMS})
        set_tests_properties(dynamic_spawn_hosts PROPERTIES TIMEOUT ${LONG_LIMIT} SKIP_RETURN_CODE 77
                             LABELS "mpi;fault" ENVIRONMENT "${STRICT}")
    endif()
endif()
