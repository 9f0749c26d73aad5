# sizes.cmake — which tests a landing runs, and which `tools/check --full` alone.
#
# sized_test(SIZE NAME name COMMAND ...) is add_test of a test whose SIZE is
#   landing   every landing runs it
#   full      only --full runs it
#   by_name   it belongs to a generated family: FULL_ONLY says which of these are `full`
# The size becomes a label. The tests that a landing runs are in two halves, with the labels landing0 and
# landing1: stages that repeat in another build what the release stage does run one of them.
#
# Some programs do more with TEST_SIZE=full in the environment, as tools/check sets it with --full.

# Tests of generated families that only --full runs. They do with more processes what others do with
# fewer,
set(FULL_ONLY
    "_(libfabric|chaos_[a-z]*)_np[48]$|_sockets_np[38]$|^coll_.*_np[56]$"
    "^(attr|datatype|env|errhan|group|info|pt2pt|request|threads)_.*_np8$"
    "^pmix_.*_np[148]$"
    "^jobs_.*_(libfabric_2_1_1|1_1)$|^jobs_coll_.*_4_4$|^jobs_(attr|comm|errhan|io|rma|topo)_.*_sockets_"
    # or on a device that matters little to them,
    "^(attr|comm|convert|env|errhan|group|info|io|topo)_.*_(libfabric|chaos_sockets)_"
    "^dynamic_(disconnect|ports_errors|ports_threads|spawn.*)_libfabric_"
    "^(coll|datatype|pt2pt|request)_.*_libfabric_"
    "^device_chaos_libfabric$|^device_(chaos_example|libfabric)$"
    "^faults_(.*_)?over_libfabric$|^jobs_[acfghkln].*_libfabric$|^jobs_(threads|unreceived)_libfabric|^device_libfabric-shm$"
    # or move gigabytes, or compile with another compiler, for half a minute and more,
    "^datatype_big_message_|^fortran_compiler_flang"
    # or wait for a comparison between processes that comes every half second.
    "^coll_mismatch_(shm_np[24]|sockets_np2|chaos_sockets)|^pt2pt_unasked_chaos_sockets"
    "^coll_inter_mismatch_(shm_np[23]|sockets_np2|chaos_sockets)")

# Seconds that the longest tests take, most of them waiting. ctest starts these first, so that none of
# them is left alone at the end.
set(LONG_TESTS pm_remote=33 pm_streams=25 faults_more_than_the_backlog_over_sockets=36 pm_launchers=21
    faults_takes_the_name=20 device_libfabric=20 pm_mpiexec_output=18 faults_unreceived=17
    dynamic_meet_shm=18 dynamic_meet_sockets=18 pm_mpiexec_signals=16 pm_terminal=5 jobs_connect_sockets=14 faults_before_the_first_message=13 pmix_openmpi=12
    faults_while_large_messages_pass=12 faults_child_outlives_the_job=11 pm_binding=11
    coll_inter_mismatch_sockets_np4=11 faults_cut_behind_strangers_over_sockets=11 pm_mpiexec=10
    faults_while_all_is_quiet=11 pm_strays=10 coll_mismatch_shm_np8=10 coll_inter_mismatch_shm_np4=10
    faults_between_hosts=9 coll_mismatch_shm_np3=13 sockets_cut=8 coll_inter_mismatch_chaos_shm_np2=8
    adi3_rma_lock=7 depth=6 faults_and_is_sent_to_afterwards=6 pm_report=6 pm_channel=6
    faults_ended_behind_strangers_over_sockets=6 faults_while_small_messages_pass=6
    faults_at_random_moments=6 faults_behind_strangers_over_sockets=6 faults_from_windows=5
    jobs_cluster=5 faults_within_large_messages=5 faults_from_collective_operations=5
    coll_large_shm_np2=5 pm_survive=4 pm_door=3 pm_mpiexec_pmi2=3 pm_node=3)

add_executable(run_test ${CMAKE_CURRENT_SOURCE_DIR}/run_test.c)
target_compile_options(run_test PRIVATE -fno-sanitize=all)
target_link_options(run_test PRIVATE -fno-sanitize=all)

function(sized_test SIZE NAME_WORD NAME COMMAND_WORD COMMAND)
    if(SIZE STREQUAL "by_name")
        set(SIZE landing)
        foreach(REGEX ${FULL_ONLY})
            if(NAME MATCHES "${REGEX}")
                set(SIZE full)
            endif()
        endforeach()
    endif()
    # run_test tells what the test costs. An emulator starts programs of its own processor alone.
    set(WORDS "")
    if(NOT CMAKE_CROSSCOMPILING)
        set(WORDS "run_test ${NAME} ")
        if(TARGET ${COMMAND})
            set(COMMAND "$<TARGET_FILE:${COMMAND}>")
        endif()
    endif()
    # Each argument by itself: it may be empty, or have semicolons.
    string(APPEND WORDS "[==[${COMMAND}]==]")
    math(EXPR LAST "${ARGC} - 1")
    if(LAST GREATER 4)
        foreach(I RANGE 5 ${LAST})
            string(APPEND WORDS " [==[${ARGV${I}}]==]")
        endforeach()
    endif()
    cmake_language(EVAL CODE "add_test(NAME ${NAME} COMMAND ${WORDS})")
    get_property(SIZED DIRECTORY PROPERTY SIZED_TESTS)
    if(NOT SIZED)
        cmake_language(DEFER CALL label_tests)
    endif()
    set_property(DIRECTORY APPEND PROPERTY SIZED_TESTS "${NAME}=${SIZE}")
endfunction()

# Adds the labels to the tests of a directory, at its end, when their other labels are set.
function(label_tests)
    get_property(SIZED DIRECTORY PROPERTY SIZED_TESTS)
    foreach(PAIR ${SIZED})
        string(REGEX MATCH "^(.*)=(.*)$" PAIR "${PAIR}")
        set(NAME ${CMAKE_MATCH_1})
        set(SIZE ${CMAKE_MATCH_2})
        string(MD5 HASH ${NAME})
        set(HALF 1)
        if(HASH MATCHES "[02468ace]$")
            set(HALF 0)
        endif()
        set_property(TEST ${NAME} APPEND PROPERTY LABELS ${SIZE} ${SIZE}${HALF})
        if(";${LONG_TESTS};" MATCHES ";${NAME}=([0-9]+);")
            set_property(TEST ${NAME} PROPERTY COST ${CMAKE_MATCH_1})
        endif()
    endforeach()
endfunction()
