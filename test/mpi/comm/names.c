/* names.c — G14: the names of communicators: set by the library, by the user, or not at all; each
 * process and each communicator has its own. */
#include "model.h"

enum { ROOM = MPI_MAX_OBJECT_NAME };

static void named(MPI_Comm comm, const char *expected)
{
    char name[ROOM + 1];
    int len = -1;

    memset(name, '#', sizeof name);
    MPI_Comm_get_name(comm, name, &len);
    CHECK(!strcmp(name, expected));
    CHECK_INT(len, (long long) strlen(expected));
    CHECK(name[ROOM] == '#');
}

static void longest(MPI_Comm comm)
{
    char name[2 * ROOM], expected[ROOM] = "";

    for (int i = 0; i < ROOM - 1; i++)
        expected[i] = name[i] = (char) ('a' + i % 26);
    name[ROOM - 1] = '\0';
    MPI_Comm_set_name(comm, name);
    named(comm, expected);
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    MPI_Comm_set_name(comm, name); /* the rest of it is cut off */
    memset(expected, 'x', ROOM - 1);
    named(comm, expected);
}

/* A new communicator does not inherit the name of the one it is made of. */
static void none_goes_on(MPI_Comm comm, int me)
{
    MPI_Comm made;
    MPI_Request request;
    MPI_Group group;

    MPI_Comm_dup(comm, &made);
    named(made, "");
    MPI_Comm_free(&made);
    MPI_Comm_idup(comm, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    named(made, "");
    MPI_Comm_free(&made);
    MPI_Comm_split(comm, 0, -me, &made);
    named(made, "");
    MPI_Comm_free(&made);
    MPI_Comm_group(comm, &group);
    MPI_Comm_create(comm, group, &made);
    named(made, "");
    MPI_Comm_free(&made);
    MPI_Comm_create_group(comm, group, 0, &made);
    named(made, "");
    MPI_Comm_free(&made);
    MPI_Group_free(&group);
}

int main(int argc, char **argv)
{
    char text[64];
    int size, me;
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    me = model_process();
    named(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    named(MPI_COMM_SELF, "MPI_COMM_SELF");
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    named(dup, "");
    snprintf(text, sizeof text, "rank %d", me);
    MPI_Comm_set_name(dup, text);
    memset(text, 0, sizeof text); /* the library has copied the name */
    snprintf(text, sizeof text, "rank %d", me);
    named(dup, text);
    named(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    none_goes_on(dup, me);
    longest(dup);
    MPI_Comm_set_name(dup, "");
    named(dup, "");
    MPI_Comm_set_name(dup, " of \t any bytes\xff ");
    named(dup, " of \t any bytes\xff ");
    MPI_Comm_free(&dup);
    MPI_Comm_set_name(MPI_COMM_WORLD, "all");
    named(MPI_COMM_WORLD, "all");
    none_goes_on(MPI_COMM_WORLD, me);
    if (size > 1) {
        MPI_Comm inter = model_inter(size, 1, 0);
        named(inter, "");
        MPI_Comm_set_name(inter, "inter");
        MPI_Intercomm_merge(inter, me > 0, &dup);
        named(dup, "");
        named(inter, "inter");
        MPI_Comm_free(&dup);
        MPI_Comm_free(&inter);
    }
    MPI_Finalize();
    return 0;
}
