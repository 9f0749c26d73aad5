/* pmi_spawn.h — an extension of PMI-1's spawn, for a client that goes on while a job is started.
 *
 * With the line PMI_SPAWN_LATER "=1" in a block of mcmd=spawn, the reply comes at once:
 *
 *     cmd=spawn_result rc=0 spawn=N
 *
 * N counts the spawns of this program from 1. When the job has started, or cannot be started, a
 * line follows that answers no request:
 *
 *     cmd=spawn_done spawn=N rc=0 jobid=NAME errcodes=0,0
 *     cmd=spawn_done spawn=N rc=-1 msg=TEXT errcodes=2,2
 *
 * TEXT is percent-encoded, and there is one code for each process: 0, or an errno. Without them,
 * the code of each is 0 when rc is, and not known otherwise. */
#ifndef PMI_SPAWN_H
#define PMI_SPAWN_H

#define PMI_SPAWN_LATER "starling_later"
#define PMI_SPAWN_DONE  "spawn_done"

#endif /* PMI_SPAWN_H */
