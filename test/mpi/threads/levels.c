/* levels.c — X03, E08: what MPI_Init_thread provides, as seen from any thread. The level asked for
 * is the process's own, argv[1]: they may differ. */
#include "../env/starling.h"
#include "threads.h"

static int provided;

static void *look(void *nothing)
{
    int level, main_thread = 1, flag;

    MPI_Query_thread(&level);
    MPI_Is_thread_main(&main_thread);
    CHECK_INT(level, provided);
    CHECK(!main_thread);
    MPI_Initialized(&flag);
    CHECK(flag);
    MPI_Finalized(&flag);
    CHECK(!flag);
    double begin = MPI_Wtime();
    CHECK(MPI_Wtick() > 0 && MPI_Wtime() >= begin);
    return nothing;
}

int main(int argc, char **argv)
{
    int required = argc > 1 ? atoi(argv[1]) : MPI_THREAD_MULTIPLE, main_thread = 0, level, sum = 0;

    MPI_Init_thread(&argc, &argv, required, &provided);
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&main_thread);
    CHECK_INT(level, provided);
    CHECK(main_thread);
    if (starling())
        CHECK_INT(provided, required);
    MPI_Allreduce(&main_thread, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_size(MPI_COMM_WORLD, &level);
    CHECK_INT(sum, level);
    if (provided == MPI_THREAD_MULTIPLE)
        threads_run(4, look);
    MPI_Finalize();
    return 0;
}
