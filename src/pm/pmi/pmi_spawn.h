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
 * the code of each is 0 when rc is, and not known otherwise.
 *
 * From then on the job is on probation: its spawner waits for its processes to call MPI_Init, and
 * to connect. When one of them ends before that, or the job fails in another way, its other
 * processes are killed, nothing else ends, and a line says why:
 *
 *     cmd=spawn_lost spawn=N msg=TEXT
 *
 * The spawner ends the time of probation by one of two lines, which are not answered. With the
 * second the job is killed, also one that is still being started:
 *
 *     cmd=spawn_connected spawn=N
 *     cmd=spawn_abandon spawn=N
 *
 * If the spawner ends without finalize before it has sent one of them, the job is killed. */
#ifndef PMI_SPAWN_H
#define PMI_SPAWN_H

#define PMI_SPAWN_LATER "starling_later"
#define PMI_SPAWN_DONE  "spawn_done"
#define PMI_SPAWN_LOST  "spawn_lost"

#define PMI_SPAWN_CONNECTED "spawn_connected"
#define PMI_SPAWN_ABANDON   "spawn_abandon"

#endif /* PMI_SPAWN_H */
