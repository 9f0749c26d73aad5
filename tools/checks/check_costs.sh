#!/bin/bash
# check_costs.sh — what the stages of tools/check cost, and the time that is left. tools/check sources
# it, with $out, $jobs, $limit_min and the table of stages.
# shellcheck disable=SC2154

# Processor seconds of all stages of CI, divided by those of the release build in the same run, in
# hundredths. More is a warning, more than 1.3 times as much is a failure: each test that is added
# takes from the time of every landing.
budget=800

# What measure_machine takes on the machine of the table of stages.
table_machine_ms=810

# Runs a fixed piece of work on all cores at once: computing, and starting processes. Sets slowness,
# in hundredths: 300 is a machine that takes three times as long as that of the table.
measure_machine() {
    local start i workers=()
    start=$(date +%s%N)
    for ((i = 0; i < jobs; i++)); do
        sh -c 'n=0; while [ $n -lt 600000 ]; do n=$((n + 1)); done
               n=0; while [ $n -lt 400 ]; do /bin/true; n=$((n + 1)); done' &
        workers+=($!)
    done
    wait "${workers[@]}"
    slowness=$((($(date +%s%N) - start) / 10000 / table_machine_ms))
    [ $slowness -gt 0 ] || slowness=1
}

# hundredths N: N as a number with two decimals.
hundredths() { printf '%d.%02d' $(($1 / 100)) $(($1 % 100)); }

# Sets processor_s: the processor seconds of this script and of all processes that it has waited for.
read_processor_s() {
    times >"$out/times-$$"
    processor_s=$(awk '{ for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] } }
                       END { printf "%.0f", s }' "$out/times-$$")
    rm -f "$out/times-$$"
}

# costing STAGE WORK COMMAND...: runs the command, and adds a line to $out/costs: stage, work (build or
# test), seconds and processor seconds. Builds that go on beside tests have lines of their own, so of
# tests those seconds count which run_test has measured, if it has; not of user, which builds, too.
costing() {
    local stage=$1 work=$2 start=$SECONDS before code cost
    shift 2
    read_processor_s
    before=$processor_s
    "$@"
    code=$?
    read_processor_s
    cost=$((processor_s - before))
    if [ "$work" = test ] && [ "$stage" != user ] && [ -s "$out/$stage-costs.txt" ]; then
        cost=$(awk '{ n += $2 + $3 } END { printf "%.0f", n }' "$out/$stage-costs.txt")
    fi
    echo "$stage $work $((SECONDS - start)) $cost" >>"$out/costs"
    return $code
}

# cost_of STAGE WORK: its processor seconds.
cost_of() { awk -v s="$1" -v w="$2" '$1 == s && $2 == w { n += $4 } END { print n + 0 }' "$out/costs"; }

# seconds_left MOST: until the limit of this run, and MOST at most.
seconds_left() {
    local left=$1
    if [ -n "$limit_min" ] && [ $((limit_min * 60 - SECONDS)) -lt "$left" ]; then
        left=$((limit_min * 60 - SECONDS))
    fi
    [ "$left" -gt 0 ] && echo "$left" || echo 1
}
limit_is_over() { [ -n "$limit_min" ] && [ $SECONDS -ge $((limit_min * 60 - 1)) ]; }

# Prints what is wrong with the table's minutes of a stage.
compare_with_table() { # STAGE
    local cost wanted=${table[$1 minutes]}
    cost=$((($(cost_of "$1" build) + $(cost_of "$1" test)) * 100 / slowness))
    if [ $cost -gt $((wanted * 90 + 30)) ] || [ $((cost * 3 / 2 + 30)) -lt $((wanted * 60)) ]; then
        echo "$1: $((cost / 60)).$((cost % 60 / 6)) processor minutes on the table's machine," \
            "where the table says $wanted (tools/checks/check_stages.sh)"
    fi
}

# Prints how the whole run compares with the budget. Fails where it is too far above it. A release
# build that was there before is no measure.
compare_with_budget() {
    local build ratio
    build=$(cost_of release build)
    read_processor_s
    if [ -z "$fresh_release" ] || [ "$build" -lt 10 ]; then
        echo "$processor_s processor seconds; the release build was there before: no budget is compared"
        return 0
    fi
    ratio=$((processor_s * 100 / build))
    echo "$processor_s processor seconds: $(hundredths $ratio) of the release build's, the budget is" \
        "$(hundredths $budget)"
    [ $ratio -le $budget ] ||
        echo "WARNING: above the budget (tools/checks/check_costs.sh): make something else smaller"
    [ $((ratio * 10)) -le $((budget * 13)) ]
}
