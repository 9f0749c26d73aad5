/* split_type.c — G07: processes that can share memory, ordered by key and then by rank; each is in
 * one of the communicators; MPI_UNDEFINED gives none; unknown info keys change nothing. */
#include <limits.h>
#include "model.h"

static int me, size;

/* Processes with the same processor name are on one host and may share memory; others are not. */
static void on_one_host(MPI_Comm comm)
{
    char mine[MPI_MAX_PROCESSOR_NAME] = "", first[MPI_MAX_PROCESSOR_NAME];
    int len;

    MPI_Get_processor_name(mine, &len);
    memcpy(first, mine, sizeof first);
    MPI_Bcast(first, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, 0, comm);
    CHECK(!strcmp(first, mine));
}

/* The members are in the order of key and rank in comm. */
static void ordered(MPI_Comm *made, int key)
{
    int rank, n, all[MODEL_MOST][2], mine[2] = { key, me };

    MPI_Comm_rank(*made, &rank);
    MPI_Comm_size(*made, &n);
    on_one_host(*made);
    MPI_Allgather(mine, 2, MPI_INT, all, 2, MPI_INT, *made);
    for (int i = 1; i < n; i++)
        CHECK(all[i - 1][0] < all[i][0]
              || (all[i - 1][0] == all[i][0] && all[i - 1][1] < all[i][1]));
    CHECK_INT(all[rank][1], me);
    MPI_Comm_free(made);
    CHECK(*made == MPI_COMM_NULL);
}

static void split(MPI_Info info)
{
    const int keys[] = { 0, -me, me % 2 ? INT_MIN : INT_MAX, size - me };
    MPI_Comm made;

    for (int i = 0; i < 4; i++) {
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, keys[i], info, &made);
        CHECK(made != MPI_COMM_NULL);
        ordered(&made, keys[i]);
    }
    MPI_Comm_split_type(MPI_COMM_SELF, MPI_COMM_TYPE_SHARED, 5, info, &made);
    ordered(&made, 5);
}

static void undefined(void)
{
    MPI_Comm made = MPI_COMM_WORLD;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &made);
    CHECK(made == MPI_COMM_NULL);
    made = MPI_COMM_WORLD;
    MPI_Comm_split_type(MPI_COMM_WORLD, me % 2 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0,
                        MPI_INFO_NULL, &made);
    CHECK((made == MPI_COMM_NULL) == me % 2);
    if (made != MPI_COMM_NULL)
        ordered(&made, 0);
}

/* The same communicator as that of the largest parts: no process is in two. */
static void each_in_one(void)
{
    int rank, n, sum;
    MPI_Comm made;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    MPI_Comm_rank(made, &rank);
    MPI_Comm_size(made, &n);
    n = rank == 0 ? n : 0;
    MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT(sum, size);
    MPI_Comm_free(&made);
}

/* Of an intercommunicator: the new one includes the processes of the other side that can share
 * memory with this one, if any. */
static void of_inter(void)
{
    int upper = me >= 1, uppers, n, result = -1;
    MPI_Comm inter = model_inter(size, 1, 0), node, made, merged;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &n);
    MPI_Allreduce(&upper, &uppers, 1, MPI_INT, MPI_SUM, node);
    MPI_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, -me, MPI_INFO_NULL, &made);
    CHECK((made == MPI_COMM_NULL) == (uppers == 0 || uppers == n));
    if (made != MPI_COMM_NULL) {
        MPI_Intercomm_merge(made, upper, &merged);
        MPI_Comm_compare(merged, node, &result);
        CHECK_INT(result, n > 2 ? MPI_SIMILAR : MPI_CONGRUENT);
        MPI_Comm_free(&merged);
        MPI_Comm_free(&made);
    }
    MPI_Comm_split_type(inter, MPI_UNDEFINED, 0, MPI_INFO_NULL, &made);
    CHECK(made == MPI_COMM_NULL);
    MPI_Comm_free(&node);
    MPI_Comm_free(&inter);
}

int main(int argc, char **argv)
{
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    MPI_Info_create(&info);
    split(MPI_INFO_NULL);
    split(info);
    MPI_Info_set(info, "no_such_key", "no such value");
    split(info);
    MPI_Info_free(&info);
    undefined();
    each_in_one();
    if (size > 1)
        of_inter();
    MPI_Finalize();
    return 0;
}
