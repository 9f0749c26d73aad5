/* area_fork.c — R01: ranks fork while they have memory of MPI_Alloc_mem that the library may share
 * on a node (info key alloc_shm, which others ignore), and a window of it. The window works on,
 * whatever the child does; the child can use the memory until it ends, also when the rank has freed
 * it; and nothing is left of either.
 *
 * Usage: area_fork [shares [plain]]. shares: the rank sees what the child stores, which is so in
 * Starling's shared memory alone; plain: without the info key. */
#include <errno.h>
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "rma.h"

enum way { ENDS, ENDS_AT_ONCE, BECOMES_ANOTHER, IS_KILLED, OUTLIVES, WAYS };
/* The words of the memory: the sums, what a child has said, and the rest, which none changes. */
enum { SUM, SAID, CONSTANT, WORDS = 2048 };
enum { FIRST = 2, ROUNDS = 10, FEW = 4, VALUE = 4711 }; /* FEW: see many.c */

static bool shares, plain, child_here;
static long *at;
static MPI_Win win;
static int sums, go[2]; /* a pipe to the child that outlives the memory */

/* The leak detector, where there is one, asks it: in a child it waits for threads of the rank. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return child_here; }

static int descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;

    CHECK(d != NULL);
    while (readdir(d))
        n++;
    (void) closedir(d);
    return n;
}

/* Mappings of memory that has a name of this kind. */
static int mappings(const char *name)
{
    FILE *f = fopen("/proc/self/maps", "r");
    char line[4096];
    int n = 0;

    CHECK(f != NULL);
    while (fgets(line, sizeof line, f))
        n += strstr(line, name) != NULL;
    (void) fclose(f);
    return n;
}

static bool constants(void)
{
    for (int i = CONSTANT; i < WORDS; i++)
        if (at[i] != VALUE + i)
            return false;
    return true;
}

static void make(void)
{
    MPI_Info info;

    MPI_Info_create(&info);
    if (!plain)
        MPI_Info_set(info, "alloc_shm", "true");
    MPI_Alloc_mem(WORDS * (MPI_Aint) sizeof *at, info, &at);
    MPI_Info_free(&info);
    for (int i = 0; i < WORDS; i++)
        at[i] = VALUE + i;
    at[SUM] = at[SAID] = sums = 0;
    MPI_Win_create(at, WORDS * (MPI_Aint) sizeof *at, sizeof *at, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
}

/* It may call nothing of MPI, and CHECK ends the job by MPI_Abort. */
static void in_child(enum way way)
{
    char *const command[] = { "/bin/true", NULL };
    char c;

    child_here = true;
    if (!constants())
        _exit(90);
    at[SAID] = way + 1;
    if (way == ENDS)
        exit(0);
    if (way == ENDS_AT_ONCE)
        _exit(0);
    if (way == BECOMES_ANOTHER)
        execv(command[0], command);
    if (way == IS_KILLED)
        raise(SIGKILL);
    if (way == OUTLIVES && read(go[0], &c, 1) == 1 && constants()) {
        memset(at, 1, WORDS * sizeof *at);
        _exit(0);
    }
    _exit(91);
}

static pid_t start(enum way way)
{
    pid_t child = fork();

    CHECK(child >= 0);
    if (!child)
        in_child(way);
    return child;
}

static void end(enum way way, pid_t child)
{
    int status = -1;
    pid_t ended;

    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    CHECK(ended == child);
    if (way == IS_KILLED)
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    else
        CHECK_INT(status, 0);
}

static void add(int target)
{
    long one = 1;

    MPI_Accumulate(&one, 1, MPI_LONG, target, SUM, 1, MPI_LONG, MPI_SUM, win);
}

/* Operations are under way while the child lives. The last child lives on. */
static pid_t with_children(void)
{
    int next = (rank + 1) % size;
    long got[3] = { 0 };
    pid_t child = -1;

    for (enum way way = 0; way < WAYS; way++) {
        MPI_Win_lock_all(0, win);
        add(next);
        MPI_Get(got, 3, MPI_LONG, next, CONSTANT, 3, MPI_LONG, win);
        child = start(way);
        add(next);
        MPI_Win_flush(next, win);
        if (way != OUTLIVES)
            end(way, child);
        if (shares && way != OUTLIVES)
            CHECK_INT(at[SAID], (int) way + 1);
        add(next);
        MPI_Win_unlock_all(win);
        sums += 3;
        for (int i = 0; i < 3; i++)
            CHECK_INT(got[i], VALUE + CONSTANT + i);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
        CHECK_INT(at[SUM], sums);
        CHECK(constants());
        MPI_Win_unlock(rank, win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return child;
}

static void one_round(void)
{
    int before;

    make();
    CHECK(pipe(go) == 0);
    pid_t child = with_children();
    before = mappings("starling-share");
    MPI_Win_free(&win);
    MPI_Free_mem(at);
    CHECK(!shares || mappings("starling-share") < before);
    CHECK(write(go[1], "", 1) == 1);
    end(OUTLIVES, child);
    (void) close(go[0]);
    (void) close(go[1]);
}

int main(int argc, char **argv)
{
    int fds, shared;

    rma_init(&argc, &argv);
    shares = argc > 1 && !strcmp(argv[1], "shares");
    plain = argc > 2 && !strcmp(argv[2], "plain");
    for (int i = 0; i < FIRST; i++)
        one_round();
    fds = descriptors();
    shared = mappings("/memfd:");
    for (int i = 0; i < ROUNDS; i++)
        one_round();
    CHECK(descriptors() <= fds + FEW);
    CHECK_INT(mappings("/memfd:"), shared);
    CHECK_INT(mappings("/dev/shm/starling"), 0);
    MPI_Finalize();
    return 0;
}
