/* spawn.h — for programs that spawn themselves: a child has a parent, and its first argument is its
 * role. */
#ifndef SPAWN_H
#define SPAWN_H

#include "../env/starling.h"

enum { SPAWN_CODES = 64 };

/* MPI_COMM_NULL in the process that mpiexec has started. */
static inline MPI_Comm spawn_parent(void)
{
    MPI_Comm parent = MPI_COMM_SELF;

    CHECK_INT(MPI_Comm_get_parent(&parent), MPI_SUCCESS);
    return parent;
}

/* Spawns n processes of this program, with root 0. */
static inline MPI_Comm spawn_role(char *program, const char *role, int n, MPI_Comm comm)
{
    char *args[] = { (char *) role, NULL };
    int codes[SPAWN_CODES], remote = -1;
    MPI_Comm inter;

    memset(codes, 7, sizeof codes);
    CHECK_INT(MPI_Comm_spawn(program, args, n, MPI_INFO_NULL, 0, comm, &inter, codes), MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        CHECK_INT(codes[i], MPI_SUCCESS);
    CHECK_INT(codes[n], 0x07070707);
    CHECK_INT(MPI_Comm_remote_size(inter, &remote), MPI_SUCCESS);
    CHECK_INT(remote, n);
    return inter;
}

/* Each process sends its rank to each of the other group, and gets theirs. */
static inline void spawn_exchange(MPI_Comm inter)
{
    int rank, remote;

    MPI_Comm_rank(inter, &rank);
    MPI_Comm_remote_size(inter, &remote);
    for (int i = 0; i < remote; i++) {
        int got = -1;
        MPI_Status s;
        MPI_Sendrecv(&rank, 1, MPI_INT, i, 5, &got, 1, MPI_INT, i, 5, inter, &s);
        CHECK_INT(got, i);
        CHECK_INT(s.MPI_SOURCE, i);
    }
}

/* Parents come first. */
static inline MPI_Comm spawn_merge(MPI_Comm inter, int is_child)
{
    MPI_Comm all;

    CHECK_INT(MPI_Intercomm_merge(inter, is_child, &all), MPI_SUCCESS);
    return all;
}

static inline void spawn_leave(MPI_Comm *inter)
{
    CHECK_INT(MPI_Comm_disconnect(inter), MPI_SUCCESS);
    CHECK(*inter == MPI_COMM_NULL);
}

#endif /* SPAWN_H */
