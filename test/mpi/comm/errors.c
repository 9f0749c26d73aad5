/* errors.c — E07: arguments of the functions that make communicators: each wrong one alone gives an
 * error of its class, and nothing is made. Only for Starling: other libraries crash with some. */
#include "../env/starling.h"
#include "model.h"

static int me, size;
static MPI_Comm freed, untouched = (MPI_Comm) 0x12345678;
static MPI_Group all, freed_group;

#define FAILS(call, class)                                                                         \
    do {                                                                                           \
        MPI_Comm newcomm = untouched;                                                              \
        MPI_Request request = MPI_REQUEST_NULL;                                                    \
        int value = 77;                                                                            \
        (void) value;                                                                              \
        CHECK_INT(error_class(call), class);                                                       \
        CHECK(newcomm == untouched || newcomm == MPI_COMM_NULL);                                   \
        CHECK(request == MPI_REQUEST_NULL && value == 77);                                         \
    } while (0)

static void wrong_comm(MPI_Comm c)
{
    FAILS(MPI_Comm_dup(c, &newcomm), MPI_ERR_COMM);
    FAILS(MPI_Comm_idup(c, &newcomm, &request), MPI_ERR_COMM);
    FAILS(MPI_Comm_create(c, all, &newcomm), MPI_ERR_COMM);
    FAILS(MPI_Comm_create_group(c, all, 0, &newcomm), MPI_ERR_COMM);
    FAILS(MPI_Comm_split(c, 0, 0, &newcomm), MPI_ERR_COMM);
    FAILS(MPI_Comm_compare(c, MPI_COMM_WORLD, &value), MPI_ERR_COMM);
    FAILS(MPI_Comm_compare(MPI_COMM_WORLD, c, &value), MPI_ERR_COMM);
    FAILS(MPI_Comm_test_inter(c, &value), MPI_ERR_COMM);
    FAILS(MPI_Comm_remote_size(c, &value), MPI_ERR_COMM);
    FAILS(MPI_Comm_remote_group(c, &freed_group), MPI_ERR_COMM);
    FAILS(MPI_Comm_group(c, &freed_group), MPI_ERR_COMM);
    FAILS(MPI_Comm_set_name(c, "name"), MPI_ERR_COMM);
    FAILS(MPI_Comm_get_name(c, (char[MPI_MAX_OBJECT_NAME]) { 0 }, &value), MPI_ERR_COMM);
    FAILS(MPI_Intercomm_create(c, 0, MPI_COMM_WORLD, 0, 0, &newcomm), MPI_ERR_COMM);
    FAILS(MPI_Intercomm_merge(c, 0, &newcomm), MPI_ERR_COMM);
    MPI_Comm copy = c;
    FAILS(MPI_Comm_free(&copy), MPI_ERR_COMM);
    CHECK(copy == c);
}

static void wrong_group(MPI_Group g)
{
    FAILS(MPI_Comm_create(MPI_COMM_WORLD, g, &newcomm), MPI_ERR_GROUP);
    FAILS(MPI_Comm_create_group(MPI_COMM_WORLD, g, 0, &newcomm), MPI_ERR_GROUP);
}

static void no_room(void)
{
    FAILS(MPI_Comm_dup(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_idup(MPI_COMM_WORLD, NULL, &request), MPI_ERR_ARG);
    FAILS(MPI_Comm_idup(MPI_COMM_WORLD, &newcomm, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_create(MPI_COMM_WORLD, all, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_create_group(MPI_COMM_WORLD, all, 0, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_test_inter(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_set_name(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_get_name(MPI_COMM_WORLD, NULL, &value), MPI_ERR_ARG);
    FAILS(MPI_Comm_get_name(MPI_COMM_WORLD, (char[MPI_MAX_OBJECT_NAME]) { 0 }, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_free(NULL), MPI_ERR_ARG);
    FAILS(MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 0, 0, NULL), MPI_ERR_ARG);
}

static void wrong_numbers(void)
{
    FAILS(MPI_Comm_split(MPI_COMM_WORLD, -1, 0, &newcomm), MPI_ERR_ARG);
    FAILS(MPI_Comm_split(MPI_COMM_WORLD, MPI_PROC_NULL - 5, 0, &newcomm), MPI_ERR_ARG);
    FAILS(MPI_Comm_create_group(MPI_COMM_WORLD, all, -1, &newcomm), MPI_ERR_TAG);
    FAILS(MPI_Comm_create_group(MPI_COMM_WORLD, all, MPI_ANY_TAG, &newcomm), MPI_ERR_TAG);
    FAILS(MPI_Intercomm_create(MPI_COMM_WORLD, -1, MPI_COMM_WORLD, 0, 0, &newcomm), MPI_ERR_RANK);
    FAILS(MPI_Intercomm_create(MPI_COMM_WORLD, size, MPI_COMM_WORLD, 0, 0, &newcomm), MPI_ERR_RANK);
    FAILS(MPI_Intercomm_create(MPI_COMM_WORLD, MPI_ANY_SOURCE, MPI_COMM_WORLD, 0, 0, &newcomm),
          MPI_ERR_RANK);
}

/* Functions that take intercommunicators only. */
static void not_inter(MPI_Comm c)
{
    FAILS(MPI_Comm_remote_size(c, &value), MPI_ERR_COMM);
    FAILS(MPI_Comm_remote_group(c, &freed_group), MPI_ERR_COMM);
    FAILS(MPI_Intercomm_merge(c, 0, &newcomm), MPI_ERR_COMM);
}

/* A group with a member that the communicator does not have. */
static void outside(void)
{
    if (size == 1)
        return;
    FAILS(MPI_Comm_create(MPI_COMM_SELF, all, &newcomm), MPI_ERR_GROUP);
    FAILS(MPI_Comm_create_group(MPI_COMM_SELF, all, 0, &newcomm), MPI_ERR_GROUP);
}

/* A process that gives another group than the first member gets an error, and the first member goes
 * on. No process waits. */
static void another_group(void)
{
    const int two[] = { 0, 1 }, three[] = { 0, 1, 2 };
    MPI_Comm made;

    if (size < 3 || me > 1)
        return;
    MPI_Group g = me ? model_group(3, three) : model_group(2, two);
    if (me == 0) {
        CHECK_INT(MPI_Comm_create_group(MPI_COMM_WORLD, g, 5, &made), MPI_SUCCESS);
        MPI_Comm_free(&made);
    } else {
        FAILS(MPI_Comm_create_group(MPI_COMM_WORLD, g, 5, &newcomm), MPI_ERR_GROUP);
    }
    MPI_Group_free(&g);
}

int main(int argc, char **argv)
{
    MPI_Comm foreign[] = {
        MPI_COMM_NULL,           (MPI_Comm) MPI_INT, (MPI_Comm) MPI_GROUP_EMPTY, 0, -1,
        MPI_COMM_WORLD ^ 0x7000, MPI_COMM_WORLD
    };

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_dup(MPI_COMM_WORLD, &freed);
    foreign[6] = freed;
    MPI_Comm_group(freed, &freed_group);
    MPI_Group stale = freed_group;
    MPI_Group_free(&freed_group);
    MPI_Comm_free(&freed);
    for (int i = 0; i < 7; i++)
        wrong_comm(foreign[i]);
    wrong_group(MPI_GROUP_NULL);
    wrong_group((MPI_Group) MPI_COMM_WORLD);
    wrong_group(stale);
    no_room();
    wrong_numbers();
    not_inter(MPI_COMM_WORLD);
    not_inter(MPI_COMM_SELF);
    outside();
    another_group();
    MPI_Group_free(&all);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
