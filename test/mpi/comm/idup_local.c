/* idup_local.c — G04: calls that send nothing may use the communicator of MPI_Comm_idup before its
 * request is complete, and what they set stays. mpi4py sets an error handler at once.
 *
 * MPICH 4.0 ends the process when an intercommunicator is asked for its remote group. */
#include "../env/starling.h"
#include "model.h"

static int me, size, keyval, hung_later;
static struct model all;

/* Every second copy is a different value. */
static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void) comm, (void) key, (void) extra;
    *(void **) out = (char *) in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static void handler(MPI_Comm *comm, int *code, ...) { (void) comm, (void) code; }

/* The other processes begin first. The first process begins after they have looked, so that their
 * communicators cannot be complete before. */
static void first_waits(void)
{
    for (int i = 1; me == 0 && i < size; i++)
        MPI_Recv(NULL, 0, MPI_INT, i, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void others_have_looked(void)
{
    if (me > 0)
        MPI_Send(NULL, 0, MPI_INT, 0, 3, MPI_COMM_WORLD);
}

static void groups(MPI_Comm made, const struct model *m)
{
    MPI_Group group, remote;
    int n = -1, rank = -1, inter = -1, result;

    CHECK_INT(MPI_Comm_rank(made, &rank), MPI_SUCCESS);
    CHECK_INT(MPI_Comm_size(made, &n), MPI_SUCCESS);
    CHECK_INT(n, m->size);
    CHECK_INT(m->local[rank], me);
    CHECK_INT(MPI_Comm_test_inter(made, &inter), MPI_SUCCESS);
    CHECK_INT(inter, m->peers > 0);
    CHECK_INT(MPI_Comm_group(made, &group), MPI_SUCCESS);
    MPI_Group_size(group, &n);
    CHECK_INT(n, m->size);
    if (inter) {
        CHECK_INT(MPI_Comm_remote_size(made, &n), MPI_SUCCESS);
        CHECK_INT(n, m->peers);
        CHECK_INT(MPI_Comm_remote_group(made, &remote), MPI_SUCCESS);
        MPI_Group_compare(group, remote, &result);
        CHECK_INT(result, MPI_UNEQUAL);
        MPI_Group_free(&remote);
    }
    MPI_Group_free(&group);
}

static void attributes(MPI_Comm comm, MPI_Comm made)
{
    void *value = NULL;
    int flag = -1;

    MPI_Comm_set_attr(comm, keyval, &hung_later); /* not copied any more */
    CHECK_INT(MPI_Comm_get_attr(made, keyval, &value, &flag), MPI_SUCCESS);
    CHECK(flag && value == (char *) &size + 1);
    CHECK_INT(MPI_Comm_delete_attr(made, keyval), MPI_SUCCESS);
    CHECK_INT(MPI_Comm_get_attr(made, keyval, &value, &flag), MPI_SUCCESS);
    CHECK(!flag);
    CHECK_INT(MPI_Comm_set_attr(made, keyval, &me), MPI_SUCCESS);
    CHECK_INT(MPI_Comm_get_attr(made, MPI_TAG_UB, &value, &flag), MPI_SUCCESS);
    CHECK(flag);
}

static void set(MPI_Comm made, MPI_Errhandler mine)
{
    MPI_Info info;
    int topology = -1, bytes = -1;

    CHECK_INT(MPI_Comm_set_errhandler(made, mine), MPI_SUCCESS);
    CHECK_INT(MPI_Comm_set_name(made, "not there yet"), MPI_SUCCESS);
    CHECK_INT(MPI_Topo_test(made, &topology), MPI_SUCCESS);
    CHECK_INT(MPI_Pack_size(3, MPI_INT, made, &bytes), MPI_SUCCESS);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_exact_length", "true");
    CHECK_INT(MPI_Comm_set_info(made, info), MPI_SUCCESS);
    MPI_Info_free(&info);
}

static void was_set(MPI_Comm made, MPI_Errhandler mine)
{
    char name[MPI_MAX_OBJECT_NAME] = "", hint[8] = "";
    MPI_Errhandler errhandler;
    MPI_Info info;
    void *value = NULL;
    int n = -1, flag = -1;

    CHECK_INT(MPI_Comm_get_errhandler(made, &errhandler), MPI_SUCCESS);
    CHECK(errhandler == mine);
    MPI_Errhandler_free(&errhandler);
    CHECK_INT(MPI_Comm_get_name(made, name, &n), MPI_SUCCESS);
    CHECK(!strcmp(name, "not there yet"));
    CHECK_INT(MPI_Comm_get_attr(made, keyval, &value, &flag), MPI_SUCCESS);
    CHECK(flag && value == &me);
    CHECK_INT(MPI_Comm_get_info(made, &info), MPI_SUCCESS);
    MPI_Info_get(info, "mpi_assert_exact_length", 7, hint, &flag);
    CHECK(!starling() || (flag && !strcmp(hint, "true")));
    MPI_Info_free(&info);
}

static void begin_and_look(MPI_Comm comm, const struct model *m)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Request request;
    MPI_Errhandler mine;
    int result = -1;

    MPI_Comm_create_errhandler(handler, &mine);
    MPI_Comm_set_attr(comm, keyval, &size);
    first_waits();
    MPI_Comm_idup(comm, &made, &request);
    groups(made, m);
    CHECK_INT(MPI_Comm_compare(comm, made, &result), MPI_SUCCESS);
    CHECK_INT(result, MPI_CONGRUENT);
    attributes(comm, made);
    set(made, mine);
    was_set(made, mine);
    others_have_looked();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    was_set(made, mine);
    MPI_Errhandler_free(&mine);
    model_end(&made, m);
}

static void grid(void)
{
    int periods[1] = { 1 }, dims[1], coords[1], n = -1, from, to, rank;
    MPI_Comm cart, made;
    MPI_Request request;

    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 0, &cart);
    first_waits();
    MPI_Comm_idup(cart, &made, &request);
    CHECK_INT(MPI_Cartdim_get(made, &n), MPI_SUCCESS);
    CHECK_INT(n, 1);
    CHECK_INT(MPI_Cart_get(made, 1, dims, periods, coords), MPI_SUCCESS);
    CHECK(dims[0] == size && periods[0] == 1 && coords[0] == me);
    CHECK_INT(MPI_Cart_shift(made, 0, 1, &from, &to), MPI_SUCCESS);
    CHECK_INT(to, (me + 1) % size);
    CHECK_INT(MPI_Cart_rank(made, coords, &rank), MPI_SUCCESS);
    CHECK_INT(rank, me);
    others_have_looked();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&made);
    MPI_Comm_free(&cart);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    for (all.size = 0; all.size < size; all.size++)
        all.local[all.size] = all.size;
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 3; i++)
        begin_and_look(comm, &all);
    MPI_Comm_free(&comm);
    if (size > 1 && starling()) {
        const struct model halves = model_halves(size, 1);
        comm = model_inter(size, 1, 0);
        begin_and_look(comm, &halves);
        MPI_Comm_free(&comm);
    }
    grid();
    MPI_Comm_free_keyval(&keyval);
    MPI_Finalize();
    return 0;
}
