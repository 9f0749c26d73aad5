/* crash.c — an MPI program whose last rank crashes, for crash_test.py.
 *
 * crash WHERE SIGNAL     segv, bus, fpe, abrt or kill
 *   before    before MPI_Init
 *   init      behind it
 *   send      in MPI_Send, whose buffer is no memory: segv and bus
 *   op        in a function of the program that MPI_Reduce_local calls
 *   after     behind MPI_Barrier
 *   jump      the same, SIGSEGV by the call of a null pointer
 *   deep      the same, SIGSEGV because the stack overflows
 *   threads   the same, with MPI_THREAD_MULTIPLE
 *   forked    the same, and then a child has called MPI
 *   finalize  behind MPI_Finalize
 *   handled   behind MPI_Barrier, with a handler of the program for all these signals
 *   garbage, middle   behind MPI_Barrier; what mpiexec reads has been overwritten, or points into
 *             the middle of a name
 *   not       nothing crashes */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *end;

/* Memory whose use is a signal. */
static void *bad_memory(void)
{
    char file[] = "/tmp/crash-XXXXXX";
    int fd = strcmp(end, "bus") ? -1 : mkstemp(file);

    if (fd < 0)
        return (void *) (uintptr_t) 0x10;
    (void) unlink(file);
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

/* Exported, so that a backtrace has its name. */
void crash_by_signal(void);

__attribute__((noinline)) void crash_by_signal(void)
{
    volatile int zero = 0;

    if (!strcmp(end, "segv") || !strcmp(end, "bus"))
        *(volatile int *) bad_memory() = 1;
#ifdef __x86_64__
    if (!strcmp(end, "fpe"))
        zero = 7 / zero;
#endif
    if (!strcmp(end, "fpe"))
        (void) raise(SIGFPE);
    if (!strcmp(end, "kill"))
        (void) raise(SIGKILL);
    (void) raise(SIGABRT); /* the call of abort() may be moved out of the function */
    (void) close(zero);
}

static void crash_in_op(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void) in, (void) inout, (void) len, (void) type;
    crash_by_signal();
}

/* The page of a process that mpiexec reads; NULL: it has none yet. */
static char *find_page(const char *maps)
{
    FILE *f = fopen(maps, "r");
    char line[512], *page = NULL;
    unsigned long at;

    while (f && fgets(line, sizeof line, f))
        if (strstr(line, "starling-calls") && sscanf(line, "%lx", &at) == 1)
            page = (char *) (uintptr_t) at;
    if (f)
        (void) fclose(f);
    return page;
}

/* Waits until the other rank, a child of the same process, has joined in MPI_Init. */
static void await_other(void)
{
    char path[64], maps[64];
    int child, joined = 0;

    (void) snprintf(path, sizeof path, "/proc/%d/task/%d/children", getppid(), getppid());
    while (!joined && !usleep(1000)) {
        FILE *f = fopen(path, "r");
        while (f && fscanf(f, "%d", &child) == 1) {
            (void) snprintf(maps, sizeof maps, "/proc/%d/maps", child);
            joined |= child != getpid() && find_page(maps);
        }
        if (f)
            (void) fclose(f);
    }
}

static void overwrite_page(const char *where)
{
    char *page = find_page("/proc/self/maps");

    if (!page) {
        fputs("crash: there is no page\n", stderr);
        exit(9);
    }
    if (!strcmp(where, "garbage"))
        memset(page, 0xff, 4096);
    else
        ++*(uintptr_t *) (void *) page;
}

/* Exported, too. */
void crash_by_jump(void);

__attribute__((noinline)) void crash_by_jump(void)
{
    void (*volatile function)(void) = NULL;

    function();
    (void) close(-1); /* else the call may become a jump */
}

/* Exported, too. Its stack overflows. */
int crash_by_depth(volatile char *up);

__attribute__((noinline)) int crash_by_depth(volatile char *up)
{
    volatile char mine[4096] = { 0 };

    return up[0] ? 1 : crash_by_depth(mine) + mine[1];
}

static void call_in_child(void)
{
    pid_t child = fork();
    int status, size;

    if (!child) {
        (void) close(STDERR_FILENO);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !status)
        exit(9);
}

static void on_signal(int signal)
{
    (void) signal;
    (void) !write(STDERR_FILENO, "handled\n", 8);
    _exit(77);
}

static void set_handlers(void)
{
    static const int all[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

    for (int i = 0; i < 5; i++)
        (void) signal(all[i], on_signal);
}

static void default_handlers(void)
{
    static const int all[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

    for (int i = 0; i < 5; i++) /* sanitizers have handlers */
        (void) signal(all[i], SIG_DFL);
}

/* In the last rank, behind MPI_Init. */
static void crash_within(const char *where)
{
    int one = 1, two = 2;
    MPI_Op op;

    if (!strcmp(where, "init"))
        crash_by_signal();
    if (!strcmp(where, "send"))
        MPI_Send(bad_memory(), 8, MPI_INT, 0, 0, MPI_COMM_SELF);
    if (!strcmp(where, "op") && !MPI_Op_create(crash_in_op, 1, &op))
        MPI_Reduce_local(&one, &two, 1, MPI_INT, op);
}

static void crash_behind(const char *where)
{
    if (!strcmp(where, "not") || !strcmp(where, "finalize"))
        return;
    if (!strcmp(where, "forked"))
        call_in_child();
    if (!strcmp(where, "garbage") || !strcmp(where, "middle"))
        overwrite_page(where);
    if (!strcmp(where, "jump"))
        crash_by_jump();
    if (!strcmp(where, "deep"))
        (void) crash_by_depth("");
    crash_by_signal();
}

int main(int argc, char **argv)
{
    const char *where = argc > 1 ? argv[1] : "", *number = getenv("PMI_RANK"),
               *size = getenv("PMI_SIZE");
    bool last = number && size && atoi(number) == atoi(size) - 1;
    int provided;

    end = argc > 2 ? argv[2] : "";
    if (!strcmp(where, "handled"))
        set_handlers();
    else
        default_handlers();
    if (last && !strcmp(where, "before")) {
        await_other();
        crash_by_signal();
    }
    MPI_Init_thread(NULL, NULL, strcmp(where, "threads") ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE,
                    &provided);
    if (last)
        crash_within(where);
    MPI_Barrier(MPI_COMM_WORLD);
    if (last)
        crash_behind(where);
    MPI_Finalize();
    if (last && !strcmp(where, "finalize"))
        crash_by_signal();
    return 0;
}
