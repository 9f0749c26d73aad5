/* complete.h — the eight calls that complete requests, behind one interface. */
#ifndef COMPLETE_H
#define COMPLETE_H

#include <stdbool.h>
#include "mpitest.h"

enum complete_call {
    WAIT,
    TEST,
    WAITANY,
    TESTANY,
    WAITSOME,
    TESTSOME,
    WAITALL,
    TESTALL,
    COMPLETE_CALLS
};

enum { COMPLETE_MAX = 64 };

/* Each request alone. Null and inactive requests have a status, too. */
static inline int complete_each(bool waiting, int n, MPI_Request r[], MPI_Status status[])
{
    for (int i = 0; i < n; i++) {
        int flag = 0;

        if (waiting)
            CHECK_INT(MPI_Wait(&r[i], &status[i]), MPI_SUCCESS);
        while (!waiting && !flag)
            CHECK_INT(MPI_Test(&r[i], &flag, &status[i]), MPI_SUCCESS);
    }
    return n;
}

/* Completes one after the other, until the call says that no request is active. */
static inline int complete_any(bool waiting, int n, MPI_Request r[], MPI_Status status[])
{
    bool seen[COMPLETE_MAX] = { false };

    for (int done = 0;; done++) {
        int index = -9, flag = waiting;
        MPI_Status one;

        if (waiting)
            CHECK_INT(MPI_Waitany(n, r, &index, &one), MPI_SUCCESS);
        while (!flag)
            CHECK_INT(MPI_Testany(n, r, &index, &flag, &one), MPI_SUCCESS);
        if (index == MPI_UNDEFINED)
            return done;
        CHECK(index >= 0 && index < n && !seen[index]);
        seen[index] = true;
        status[index] = one;
    }
}

static inline int complete_some(bool waiting, int n, MPI_Request r[], MPI_Status status[])
{
    bool seen[COMPLETE_MAX] = { false };

    for (int done = 0;;) {
        int count = -9, indices[COMPLETE_MAX];
        MPI_Status some[COMPLETE_MAX];

        if (waiting)
            CHECK_INT(MPI_Waitsome(n, r, &count, indices, some), MPI_SUCCESS);
        else
            CHECK_INT(MPI_Testsome(n, r, &count, indices, some), MPI_SUCCESS);
        if (count == MPI_UNDEFINED)
            return done;
        CHECK(count >= waiting && count <= n);
        for (int i = 0; i < count; i++) {
            int at = indices[i];

            CHECK(at >= 0 && at < n && !seen[at]);
            seen[at] = true;
            status[at] = some[i];
        }
        done += count;
    }
}

/* Completes all n requests by one kind of call; each status goes to the place of its request.
 * Returns the number of statuses: any and some give only those of active requests. */
static inline int complete(enum complete_call call, int n, MPI_Request r[], MPI_Status status[])
{
    int flag = 0;

    CHECK(n <= COMPLETE_MAX);
    switch (call) {
    case WAIT:
    case TEST:
        return complete_each(call == WAIT, n, r, status);
    case WAITANY:
    case TESTANY:
        return complete_any(call == WAITANY, n, r, status);
    case WAITSOME:
    case TESTSOME:
        return complete_some(call == WAITSOME, n, r, status);
    case WAITALL:
        CHECK_INT(MPI_Waitall(n, r, status), MPI_SUCCESS);
        return n;
    case TESTALL:
        while (!flag)
            CHECK_INT(MPI_Testall(n, r, &flag, status), MPI_SUCCESS);
        return n;
    case COMPLETE_CALLS:
        break;
    }
    return -1;
}

/* Whether the call gives statuses for null and inactive requests, too. */
static inline bool complete_gives_all(enum complete_call call)
{
    return call == WAIT || call == TEST || call == WAITALL || call == TESTALL;
}

/* Checks for the empty status of §3.7.3. */
static inline void complete_check_empty(const MPI_Status *status)
{
    int count = -1, cancelled = -1;

    CHECK_INT(status->MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_INT(status->MPI_TAG, MPI_ANY_TAG);
    MPI_Get_count(status, MPI_BYTE, &count);
    CHECK_INT(count, 0);
    MPI_Get_elements(status, MPI_INT, &count);
    CHECK_INT(count, 0);
    MPI_Test_cancelled(status, &cancelled);
    CHECK_INT(cancelled, 0);
}

#endif /* COMPLETE_H */
