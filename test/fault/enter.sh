#!/bin/sh
# enter.sh — the remote shell of cluster.py: hydra calls it as `enter.sh -x node1 COMMAND`, our mpiexec
# with options as `-o NAME=VALUE`, too. It runs the command in the namespaces of that host, whose first
# process is in CLUSTER_node1.
while [ "${1#-}" != "$1" ]; do
    if [ "$1" = -o ]; then
        shift
    fi
    shift
done
eval "pid=\$CLUSTER_$1"
shift
# shellcheck disable=SC2086 # it may be empty
exec nsenter $CLUSTER_KINDS -t "$pid" -m -u -i -n -p --wdns="$PWD" sh -c "$*"
