/* ring.c — F05, F13: many requests at once on a file whose data bypasses the cache, among them some
 * that cannot, that end behind the end of the file, or that fail.
 *
 * known: MPICH 4.0 waits for ever for a request that fails.
 *
 * Usage: ring [used | unused | setup | enter | later]
 *
 * used, unused: whether an io_uring does it, where the kernel has one. setup, enter: a seccomp
 * filter refuses such calls from the begin on; later: when a ring is in use. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include "hints.h"

enum { BLOCK = 4096, N = 600, LONGEST = 8 };

static const char *how = "";
static unsigned char *out, *in; /* N blocks of this rank */
static MPI_Request requests[N];
static MPI_Status statuses[N];

/* Calls of this number fail from now on, in all threads. False: the kernel has no filters. */
static bool refuse(unsigned number)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = { .len = sizeof rules / sizeof *rules, .filter = rules };

    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
           && !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}

static bool kernel_has_rings(void)
{
    uint64_t params[15] = { 0 }; /* struct io_uring_params */
    int fd = (int) syscall(SYS_io_uring_setup, 2, params);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int rings(void)
{
    DIR *d = opendir("/proc/self/fd");
    struct dirent *e;
    char to[64];
    int n = 0;

    CHECK(d);
    while ((e = readdir(d))) {
        ssize_t len = readlinkat(dirfd(d), e->d_name, to, sizeof to - 1);
        to[len > 0 ? len : 0] = 0;
        n += !strcmp(to, "anon_inode:[io_uring]");
    }
    closedir(d);
    return n;
}

/* The place of a block in the view, and in the file: the ranks take turns. */
static MPI_Offset in_view(int i) { return (MPI_Offset) i * size * BLOCK; }
static MPI_Offset place(int i) { return in_view(i) + (MPI_Offset) rank * BLOCK; }

static MPI_File direct_file(void)
{
    MPI_Info info = info_of("direct_write", "true");

    MPI_Info_set(info, "direct_read", "true");
    MPI_File f = opened(info);
    MPI_Info_free(&info);
    OK(MPI_File_set_view(f, place(0), MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    return f;
}

/* Each fifth is in two parts, the first of which is no whole block. */
static void write_all(MPI_File f)
{
    static MPI_Request rest[N];

    for (int i = 0; i < N; i++) {
        unsigned char *b = out + (size_t) i * BLOCK;
        int len = i % 5 ? BLOCK : 100;
        for (int k = 0; k < BLOCK; k++)
            b[k] = pattern(place(i) + k);
        OK(MPI_File_iwrite_at(f, in_view(i), b, len, MPI_BYTE, &requests[i]));
        rest[i] = MPI_REQUEST_NULL;
        if (len < BLOCK)
            OK(MPI_File_iwrite_at(f, in_view(i) + len, b + len, BLOCK - len, MPI_BYTE, &rest[i]));
    }
    OK(MPI_Waitall(N, requests, statuses));
    OK(MPI_Waitall(N, rest, MPI_STATUSES_IGNORE));
    for (int i = 0; i < N; i++)
        CHECK_INT(count_of(&statuses[i], MPI_BYTE), i % 5 ? BLOCK : 100);
}

/* The file has what all ranks have written. */
static void whole_file(void)
{
    size_t len = (size_t) N * (size_t) size * BLOCK;
    unsigned char *want = mpitest_memory(len);

    for (size_t i = 0; i < len; i++)
        want[i] = pattern((long long) i);
    io_same(want, len);
    free(want);
}

/* The last ones are longer than what is left of the file. They are started among the others. */
static void read_all(MPI_File f)
{
    MPI_Offset end = (MPI_Offset) N * size * BLOCK;

    memset(in, 0, (size_t) N * LONGEST * BLOCK);
    for (int i = 0; i < N; i++) {
        int k = (i + N / 2) % N;
        OK(MPI_File_iread_at(f, in_view(k), in + (size_t) k * LONGEST * BLOCK,
                             k > N - LONGEST ? LONGEST * BLOCK : BLOCK, MPI_BYTE, &requests[k]));
    }
    OK(MPI_Waitall(N, requests, statuses));
    for (int i = 0; i < N; i++) {
        MPI_Offset at = place(i), want = i > N - LONGEST ? LONGEST * BLOCK : BLOCK;
        if (want > end - at)
            want = end - at;
        CHECK_INT(count_of(&statuses[i], MPI_BYTE), want);
        for (int k = 0; k < want; k++)
            CHECK_INT(in[(size_t) i * LONGEST * BLOCK + (size_t) k], pattern(at + k));
    }
}

/* Requests of two blocks that are not beside each other, in the file or in memory either. */
static void pairs(void)
{
    MPI_Datatype block, apart, holes;
    MPI_File f = direct_file();

    MPI_Type_contiguous(BLOCK, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, (MPI_Aint) size * BLOCK, &apart);
    MPI_Type_vector(2, BLOCK, 2 * BLOCK, MPI_BYTE, &holes);
    MPI_Type_commit(&apart);
    MPI_Type_commit(&holes);
    for (int i = 0; i < N * BLOCK; i++)
        out[i] = pattern(place(i / BLOCK) + i % BLOCK);
    OK(MPI_File_set_view(f, place(0), MPI_BYTE, apart, "native", MPI_INFO_NULL));
    for (int i = 0; i < N; i += 2)
        OK(MPI_File_iwrite_at(f, (MPI_Offset) i * BLOCK, out + (size_t) i * BLOCK, 2 * BLOCK,
                              MPI_BYTE, &requests[i / 2]));
    OK(MPI_Waitall(N / 2, requests, MPI_STATUSES_IGNORE));
    whole_file();
    OK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    for (int i = 0; i < N; i += 2)
        OK(MPI_File_iread_at(f, (MPI_Offset) i * BLOCK, in + (size_t) i * 2 * BLOCK, 1, holes,
                             &requests[i / 2]));
    OK(MPI_Waitall(N / 2, requests, MPI_STATUSES_IGNORE));
    for (int i = 0; i < N * BLOCK; i++)
        CHECK_INT(in[i / BLOCK * 2 * BLOCK + i % BLOCK], pattern(i));
    MPI_Type_free(&block);
    MPI_Type_free(&apart);
    MPI_Type_free(&holes);
    io_close(&f);
}

/* Of many requests those fail that would make the file longer than the process may; no other. */
static void some_fail(MPI_File f)
{
    struct rlimit old, limit;
    int code[N];

    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    limit = (struct rlimit) { (rlim_t) N * (rlim_t) size * BLOCK, old.rlim_max };
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    for (int i = 0; i < N; i++)
        OK(MPI_File_iwrite_at(f, in_view(i % 2 ? i : N + i), out + (size_t) i * BLOCK, BLOCK,
                              MPI_BYTE, &requests[i]));
    for (int i = 0; i < N; i++)
        code[i] = MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    for (int i = 0; i < N; i++)
        CHECK_INT(code[i] == MPI_SUCCESS, i % 2);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    bool has = kernel_has_rings();

    how = argc > 1 ? argv[1] : how;
    if ((!strcmp(how, "setup") && !refuse(SYS_io_uring_setup))
        || (!strcmp(how, "enter") && !refuse(SYS_io_uring_enter)))
        return 77;
    io_init(&argc, &argv);
    out = aligned_alloc(BLOCK, (size_t) N * BLOCK);
    in = aligned_alloc(BLOCK, (size_t) N * LONGEST * BLOCK);
    CHECK(out && in);
    pairs();
    MPI_File f = direct_file();
    has = has && !strcmp(in_force(f, "direct_write"), "true");
    write_all(f);
    if (!strcmp(how, "used") && has)
        CHECK(rings() > 0);
    if (*how && strcmp(how, "used") != 0 && strcmp(how, "later") != 0)
        CHECK_INT(rings(), 0);
    if (!strcmp(how, "later"))
        CHECK(refuse(SYS_io_uring_enter));
    OK(MPI_File_sync(f));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_sync(f));
    read_all(f);
    some_fail(f);
    whole_file();
    io_close(&f);
    free(out);
    free(in);
    io_end();
    return 0;
}
