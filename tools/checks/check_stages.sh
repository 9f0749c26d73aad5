#!/bin/bash
# check_stages.sh — the table of the stages of tools/check, and what reads it. tools/check sources it,
# with $mode: quick, ci or full.

# ---- the table of stages -------------------------------------------------------------------------
# The first line of a stage: its name, what runs it (--quick, CI, --full, or another stage), the
# sets of tools/install-deps that it needs, the numbers of processes of its MPI programs, the
# processor minutes that it takes in CI, or else with --full, on two idle cores, and what it does. `--only devices` runs all
# stages devices-*. Of the stages that `turn` runs, CI takes one in turn, by the number of commits, and
# those for which a file has changed.
# The lines after it:
#   build        arguments of cmake; without --preset it builds below build/check
#   target       what is built, instead of all
#   environment  settings for its tests
#   tests        arguments of ctest
#   changed      what has to change in the last commit for CI to run it out of turn
# KEY/quick and KEY/full take the place of KEY with --quick and --full. Lines with # are comments.
# {half} and {other_half} are 0 and 1, in turn by the number of commits: sizes.cmake.
stages='
# stage            run by         needs           np    min  what it does
release            quick,ci,full  test            1-8    10  the release preset, as users get it
    build          --preset release
    tests          -L ^landing$ -LE ^static$
    tests/quick    -L ^landing$ -LE {heavy}|^install$
    tests/full     -LE ^static$
static             ci,full        test,static     -       0  what can be said of the sources alone
    build          --preset release
    tests          -L ^static$
signals            ci,full        test            1,2,4   1  interrupted by a timer of 1 kHz
    build          --preset release
    environment    TEST_TICKS=1
    tests          -L ^landing$ -R {blocking} -E _cluster_|unasked|linear|flood|coll_mismatch|large
    tests/full     -L ^mpi$ -LE ^(np[48]|cluster)$ -E _np128$|_async_idle_
asan               ci,full        test            1,2     5  AddressSanitizer, UBSan, leaks
    build          --preset asan -DSTARLING_TEST_PARTS={plain}
    build/full     --preset asan
    tests          -L ^landing{half}$ -LE {slow} -E _np[458]$|{local}|{waits}|{unwatched}
    tests/full     -LE ^(static|perf|model|long|np8)$ -E {foreign}
devices-shm        full           test            1,2     5  the devices self and shm alone
    build          -DSTARLING_FORTRAN=OFF -DSTARLING_DEVICES=self;shm
    tests          -LE {heavy}|^(install|source)$
devices-two        full           test            1,2     4  sockets, mailbox, no argument checks
    # Devices do not depend on argument checks: one build is without checks and without shm. CI has the
    # stage user, which is built by clang as well.
    build          -DSTARLING_DEVICES=self;sockets;mailbox -DSTARLING_ERROR_CHECKS=OFF
                   -DSTARLING_FORTRAN=OFF -DSTARLING_TEST_PARTS={nojobs}
    tests          -LE {heavy}|^(install|source|errors)$
devices-libfabric  turn,full      test,libfabric  2       1  libfabric, which no setting names
    build          -DSTARLING_DEVICES=self;libfabric
                   -DSTARLING_TEST_PARTS=^devices$|^mpi/(pt2pt|comm)$ -DSTARLING_FORTRAN=OFF
    tests          -L ^(np2|devices)$ -R ^((pt2pt|comm)_|(device_)?libfabric)
    changed        ^src/devices/(libfabric/|[a-z]*\.h)|^cmake/libfabric
devices-self       full           test            1       5  no device for other processes
    # Messages of a process to itself go the same way in each build: CI leaves this stage out.
    build          -DSTARLING_DEVICES=self
    tests          -L ^(np1|unit|devices|pm|api)$
clang              full           test,clang      1,2     7  built by clang with -Werror
    build          -DCMAKE_C_COMPILER=clang -DSTARLING_TEST_PARTS={nojobs}
    tests          -LE {heavy}|^source$
fuzz               turn,full      test,clang      -       2  parsers of foreign bytes, 4 or 10 s each
    build          -DCMAKE_C_COMPILER=clang -DSTARLING_FUZZ=ON -DCMAKE_BUILD_TYPE=Debug
                   -DCMAKE_C_FLAGS=-O1 -DFUZZ_SECONDS=4
    build/full     -DCMAKE_C_COMPILER=clang -DSTARLING_FUZZ=ON -DCMAKE_BUILD_TYPE=Debug
                   -DCMAKE_C_FLAGS=-O1 -DFUZZ_SECONDS=10
    target         fuzz_programs
    tests          -L ^fuzz$
    changed        ^test/(corpus|fuzz)/|^src/pm/(pmi|server|channel|hosts|bind)/|^src/devices/sockets/
                   |^src/(platform/setting|adi3/(p2p|proc|rma)/|adi3/datatype/(serial|external))
tsan               turn,full      test            1-8     3  ThreadSanitizer, programs with threads
    # ThreadSanitizer does not see what libfabric does.
    build          --preset tsan
                   -DSTARLING_TEST_PARTS=^jobs$|^mpi/(threads|info|pt2pt|coll|request|rma|fortran)$
    target         thread_programs
    tests          -L ^threads$ -LE ^libfabric$
    changed        ^src/adi3/(base|progress|request|rma)/|^test/mpi/threads/|thread|lock
aarch64            turn,full      test,aarch64    -       3  built for ARM, unit tests under qemu
    build          --toolchain cmake/aarch64.cmake -DSTARLING_TEST_PARTS={units}|^mpi/fortran$
    tests          -L ^(unit|devices|pm|modules)$ -E {spin}
    changed        ^src/(platform|devices/shm|adi3/(match|shmcoll|op))/|^cmake/aarch64
user               ci,full        test,clang      1,2     3  the stage unprivileged, as user nobody
unprivileged       user           test,clang      1,2     3  clang, sockets, mailbox, no checks
    # One build for what matters little alone, as user nobody: see the stages clang, devices-two,
    # nochecks.
    build          -DCMAKE_C_COMPILER=clang -DSTARLING_DEVICES=self;sockets;mailbox
                   -DSTARLING_ERROR_CHECKS=OFF -DSTARLING_FORTRAN=OFF -DSTARLING_TEST_PARTS={plain}
    tests          -L ^landing{other_half}$ -LE {heavy}|^(install|source|errors)$ -E {waits}|{anybody}
nochecks           full           test            1,2     6  built without argument checks
    build          -DSTARLING_ERROR_CHECKS=OFF
    tests          -LE {heavy}|^(install|source|errors)$
debug              full           test            1-8    14  the debug preset
    build          --preset debug
    tests          -L ^landing$ -LE ^static$
oracle             full           test,oracle     1-3     9  MPICH builds and runs the MPI programs
    build          -DSTARLING_ORACLE=mpich
    target         mpi_programs
    tests          -L ^mpich$ -LE ^np[48]$|^known$
'

# Sets of labels, names and folders of tests, as regular expressions. Lines of the same name add up.
# CMake's have at most 9 groups: those of all sets that an argument names.
sets='
# Labels of tests that are left out where a part of the tests is enough.
heavy     ^np[348]$|^(static|algorithms|chaos|fault|jobs|large|libfabric|long|model|perf|budget|mixed|cluster|pmix)$
# Labels of tests that take long with sanitizers.
slow      ^(source|static|np[348]|jobs|large|libfabric|model|perf|fault|mixed|cluster|long|chaos|pmix)$
# Names of tests whose code knows no device: one device is enough.
local     ^(attr|convert|env|errhan|group|info|io|topo)_.*_(sockets|mailbox)_np2$
# Names of tests that AddressSanitizer adds little to: they run none of our code, or more of the same.
unwatched _np(6|128)$|^device_(example|libfabric)$
unwatched ^pm_(binding.*|placement|streams|strays|survive|mpiexec_o.*|mpiexec_signals)$
unwatched ^request_linear_|^rma_many_10000_|^coll_.*_np3$
# Names of tests whose programs were built without AddressSanitizer, or limit the memory of a process,
# which needs more with it.
foreign   ^faults_(programs_of_mpich_with_our_library|memory_really_full)$
# Names of tests that wait for timers: the release stage is enough.
waits     ^coll_(inter_)?mismatch_sockets_|^pt2pt_unasked_|^device_libfabric-shm$
# Names of tests of mpiexec that do the same for each user: others of mpiexec are enough.
anybody   ^pm_(mpiexec_.*|cause|remote|launchers|strays|streams|channel|survive|report|binding.*|placement)$
# Names of tests that take a minute and more under qemu, while one core waits for another, or that
# need the memory that a process shares with its parent between vfork and exec, which qemu copies, or
# another LD_LIBRARY_PATH than that of qemu, or count pages of the process, to which qemu adds its own.
spin      ^(device_(chaos_.*|shm|sockets|example)|sockets_cut|adi3_growth|pm_(node|mpiexec|strays).*)$
spin      ^pm_(cause|crash|remote|streams|terminal|launchers|survive|report|door|binding|placement|pmix).*$
# Names of tests with calls that block: signals interrupt them.
blocking  ^(pt2pt|request|threads|env)_.*_np2$|^(async|fault)_
blocking  ^coll_([a-z]*|flag_block)_(shm|sockets)_np2$
# Folders: other than jobs; those with tests of few processes; those with tests of the labels unit,
# devices and pm.
nojobs    ^[^j]
plain     ^(adi3|api|checkpoint|devices|fuzz|mpi|platform|pm)(/|$)
units     ^(adi3|devices|fuzz|platform|pm|mpi/core|mpi/topo)
'

# Reads both tables. names: the stages in order. table[STAGE KEY]: the rest of a line; a line that
# begins with an argument, or with | after a regular expression, continues the line before.
# pattern[SET]: its regular expression.
names=()
declare -A table pattern
read_tables() {
    local stage key rest last
    while read -r key rest; do
        case $key in
        '' | '#') ;;
        -*) table[$last]+=" $key $rest" ;;
        '|'*) table[$last]+=$key ;;
        build* | target | environment | tests* | changed) last="$stage $key" table[$last]=$rest ;;
        *)
            stage=$key
            names+=("$stage")
            read -r "table[$stage by]" "table[$stage needs]" _ "table[$stage minutes]" _ <<<"$rest"
            ;;
        esac
    done <<<"$stages"
    while read -r key rest; do
        case $key in
        '' | '#') ;;
        *) pattern[$key]+=${pattern[$key]+|}$rest ;;
        esac
    done <<<"$sets"
    pattern[half]=$((number % 2))
    pattern[other_half]=$(((number + 1) % 2))
}

# cell STAGE KEY: what the table says in this mode, with {sets} replaced.
cell() {
    local text=${table[$1 $2/$mode]-${table[$1 $2]-}}
    while [[ $text =~ \{([a-z_]+)\} ]]; do
        text=${text/"${BASH_REMATCH[0]}"/"${pattern[${BASH_REMATCH[1]}]}"}
    done
    echo "$text"
}

# run_by MODE: the stages that it runs.
run_by() {
    local stage
    for stage in "${names[@]}"; do
        [[ ,${table[$stage by]}, != *,$1,* ]] || echo "$stage"
    done
}

# stages_of NAME: the stage of this name, or all NAME-... that run in this mode.
stages_of() {
    if [ -n "${table[$1 by]-}" ]; then
        echo "$1"
    else
        run_by "${mode/quick/ci}" | grep "^$1-"
    fi
}

# stages_in_turn: one of the stages that take turns, and those for which something has changed.
stages_in_turn() {
    local turns stage
    mapfile -t turns < <(run_by turn)
    for stage in "${turns[@]}"; do
        if [ "$stage" = "${turns[number % ${#turns[@]}]}" ] ||
            grep -qE "${table[$stage changed]}" <<<"$changed_files"; then
            echo "$stage"
        fi
    done
}

# chosen_by MODE: what tools/check runs in it.
chosen_by() {
    local turns stage
    turns=" $(stages_in_turn | tr '\n' ' ')"
    for stage in "${names[@]}"; do
        if [[ ,${table[$stage by]}, = *,$1,* ]] || { [ "$1" = ci ] && [[ $turns = *" $stage "* ]]; }; then
            echo "$stage"
        fi
    done
}

# Sets commit; number, which says whose turn it is: that of commits, or of days where the history is
# not all there; and changed_files, those of the last commits.
read_commit() {
    local git=(git -c safe.directory='*')
    commit=${CHECK_COMMIT:-$("${git[@]}" describe --always --dirty 2>/dev/null)}
    commit=${commit:-unknown}
    number=${CHECK_NUMBER:-}
    if [ -z "$number" ] && [ "$("${git[@]}" rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
        number=$("${git[@]}" rev-list --count HEAD)
    fi
    number=${number:-$(($(date +%s) / 86400))}
    changed_files=$(tools/checks/changed_files 2>/dev/null)
}

list() {
    cat <<END
What runs where. The column "run by" says what runs a stage: tools/check with --quick, without
arguments (ci; turn: one of these stages, by the number of commits, and those whose files have
changed), with --full, or another stage. np: numbers of processes of the MPI programs. min: processor
minutes in CI, or else with --full, on the machine of the table. The lines below a stage say how it is
built and which tests it runs. KEY/quick and KEY/full take the place of KEY with --quick and --full.
Labels and names of tests, and their folders (STARLING_TEST_PARTS), are regular expressions. {NAME}
stands for a set of them; the sets come last, and lines of the same name add up. {half} is 0 or 1, in
turn.
END
    echo "$stages" | sed -E '/^ +tests/ { s/ -LE / without labels /; s/ -L / labels /
        s/ -E / without names /; s/ -R / names / }'
    echo "${sets:1}"
}
