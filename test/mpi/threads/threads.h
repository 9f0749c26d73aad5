/* threads.h — several threads in an MPI program: starts them, and joins them. */
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>
#include <stdint.h>
#include "mpitest.h"

/* MPI_THREAD_MULTIPLE, or the program ends with success: it is not required (§12.4.3). */
static inline void threads_init(int *argc, char ***argv)
{
    int provided;

    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided == MPI_THREAD_MULTIPLE)
        return;
    MPI_Finalize();
    exit(0);
}

/* Runs n threads, run(0) to run(n - 1), and waits for all. */
static inline void threads_run(int n, void *(*run)(void *) )
{
    pthread_t t[64];

    for (int i = 0; i < n; i++)
        CHECK(!pthread_create(&t[i], NULL, run, (void *) (intptr_t) i));
    for (int i = 0; i < n; i++)
        CHECK(!pthread_join(t[i], NULL));
}

#endif /* THREADS_H */
