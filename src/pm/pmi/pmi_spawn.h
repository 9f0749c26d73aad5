/* pmi_spawn.h — extensions of PMI-1's spawn, which Starling's mpiexec knows.
 *
 * Behind the line PMI_SPAWN_ENCODED "=1" the values of a block are percent-encoded, so that they
 * may have any bytes but NUL. A long one goes on in lines of the name PMI_SPAWN_MORE. A block may
 * then also say, for the whole request, in which directory its spawner is, and the environment of
 * that, a line for each variable and an empty one, which shows that it is given:
 *
 *     starling_cwd=/home/me
 *     starling_env=
 *     starling_env=PATH=/bin:/usr/bin
 *
 * All texts of a request, "name=value" with an end of one byte each, have PMI_SPAWN_BYTES at most.
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
 * TEXT is percent-encoded, and there is one code for each process: 0, or an errno. All are EINVAL
 * when the request has a wrong value, such as that of an info key. Without them, the code of each
 * is 0 when rc is, and not known otherwise.
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

#define PMI_SPAWN_ENCODED "starling_encoded"
#define PMI_SPAWN_MORE    "starling_more"
#define PMI_SPAWN_CWD     "starling_cwd"
#define PMI_SPAWN_ENV     "starling_env"
enum { PMI_SPAWN_BYTES = 1 << 20 };

#define PMI_SPAWN_LATER "starling_later"
#define PMI_SPAWN_DONE  "spawn_done"
#define PMI_SPAWN_LOST  "spawn_lost"

#define PMI_SPAWN_CONNECTED "spawn_connected"
#define PMI_SPAWN_ABANDON   "spawn_abandon"

#endif /* PMI_SPAWN_H */
