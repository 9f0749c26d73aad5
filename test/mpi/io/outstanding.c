/* outstanding.c — F05, F15, P07: 5,000 reads and writes that are under way at a time, with messages
 * among them, completed by Waitall, Waitany and Testsome: each is completed once, with its own
 * status. */
#include "io.h"

enum { ACCESSES = 5000, N = 8, APART = 50, ALL = ACCESSES + 2 * (ACCESSES / APART) };
enum how { WAITALL, WAITANY, TESTSOME, HOWS };

static int value(int r, int i, int k) { return r * 1000000 + i * 10 + k; }

static int out[ACCESSES][N], in[ACCESSES][N], sent[ACCESSES / APART], got[ACCESSES / APART];
static MPI_Request request[ALL];
static MPI_Status status[ALL], some[ALL];
static int place[ALL], ends[ALL]; /* how often each has ended */

/* What the accesses will read: other than what they write in the same round. */
static MPI_Offset offset(int i, int round)
{
    return ((MPI_Offset) (i + ACCESSES * (rank + size * (round % 2)))) * N;
}

/* Even accesses write for the next round, odd ones read what the last one has left; every 50th
 * access is followed by a message to the next rank and one from the previous one. */
static void start_all(MPI_File f, int round)
{
    int n = 0, m = 0;

    for (int i = 0; i < ACCESSES; i++) {
        for (int k = 0; k < N; k++)
            out[i][k] = value(rank, i, k + round), in[i][k] = -1;
        if (i % 2 == 0)
            OK(MPI_File_iwrite_at(f, offset(i, round), out[i], N, MPI_INT, &request[n++]));
        else
            OK(MPI_File_iread_at(f, offset(i - 1, round + 1), in[i], N - i % N, MPI_INT,
                                 &request[n++]));
        if (i % APART == APART - 1) {
            sent[m] = value(rank, i, round);
            MPI_Irecv(&got[m], 1, MPI_INT, (rank + size - 1) % size, m, MPI_COMM_WORLD,
                      &request[n++]);
            MPI_Isend(&sent[m], 1, MPI_INT, (rank + 1) % size, m, MPI_COMM_WORLD, &request[n++]);
            m++;
        }
    }
    CHECK_INT(n, ALL);
}

static void complete_all(enum how how)
{
    int left = ALL, done = 0;

    memset(ends, 0, sizeof ends);
    if (how == WAITALL) {
        OK(MPI_Waitall(ALL, request, status));
        return;
    }
    for (; left > 0; left -= done) {
        if (how == WAITANY) {
            OK(MPI_Waitany(ALL, request, &place[0], &some[0]));
            done = 1;
        } else
            OK(MPI_Testsome(ALL, request, &done, place, some));
        CHECK(done >= 0 && done <= left);
        for (int i = 0; i < done; i++) {
            CHECK(place[i] >= 0 && place[i] < ALL);
            CHECK_INT(ends[place[i]]++, 0);
            status[place[i]] = some[i];
        }
    }
}

static void check_all(int round)
{
    int n = 0, m = 0;

    for (int i = 0; i < ALL; i++)
        CHECK(request[i] == MPI_REQUEST_NULL);
    for (int i = 0; i < ACCESSES; i++) {
        int count = i % 2 ? N - i % N : N;
        CHECK_INT(count_of(&status[n++], MPI_INT), count);
        for (int k = 0; i % 2 && k < N; k++)
            CHECK_INT(in[i][k], k < count ? value(rank, i - 1, k + round - 1) : -1);
        if (i % APART == APART - 1) {
            CHECK_INT(status[n].MPI_TAG, m);
            CHECK_INT(got[m], value((rank + size - 1) % size, i, round));
            n += 2;
            m++;
        }
    }
}

int main(int argc, char **argv)
{
    MPI_File f;

    io_init(&argc, &argv);
    f = io_open(0);
    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int i = 0; i < ACCESSES; i += 2) { /* what the first round reads */
        for (int k = 0; k < N; k++)
            out[i][k] = value(rank, i, k - 1);
        OK(MPI_File_write_at(f, offset(i, 1), out[i], N, MPI_INT, MPI_STATUS_IGNORE));
    }
    for (int round = 0; round < HOWS; round++) {
        start_all(f, round);
        complete_all((enum how) round);
        check_all(round);
    }
    io_close(&f);
    io_end();
    return 0;
}
