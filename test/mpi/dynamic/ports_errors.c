/* ports_errors.c — Y04: wrong arguments of calls with ports give the same error in all processes,
 * with a text that names the value, and no communicator; those of others than root do not count.
 * Only for Starling: other libraries crash with some. */
#include "../env/starling.h"

static int rank, size, root;

static void check_text(int err, const char *text)
{
    char said[MPI_MAX_ERROR_STRING];
    int len;

    MPI_Error_string(err, said, &len);
    if (!strstr(said, text))
        fprintf(stderr, "'%s' is not in '%s'\n", text, said);
    CHECK(strstr(said, text));
}

/* Accepts and connects with these arguments at root, and with others elsewhere. */
static void both_fail(const char *port, MPI_Info info, int errclass, const char *text)
{
    int mine = rank == root;

    for (int connects = 0; connects < 2; connects++) {
        MPI_Comm made = MPI_COMM_WORLD;
        int (*const call)(const char *, MPI_Info, int, MPI_Comm, MPI_Comm *) =
            connects ? MPI_Comm_connect : MPI_Comm_accept;
        int err = call(mine ? port : NULL, mine ? info : (MPI_Info) 0x12345678, root,
                       MPI_COMM_WORLD, &made);
        CHECK_INT(error_class(err), errclass);
        CHECK(made == MPI_COMM_NULL);
        check_text(err, text);
    }
}

static void wrong_names(void)
{
    char closed[MPI_MAX_PORT_NAME], other[MPI_MAX_PORT_NAME];

    both_fail(NULL, MPI_INFO_NULL, MPI_ERR_ARG, "port_name");
    both_fail("", MPI_INFO_NULL, MPI_ERR_PORT, "is no name of a port");
    both_fail("a port", MPI_INFO_NULL, MPI_ERR_PORT, "'a port' is no name of a port");
    both_fail("starling9-", MPI_INFO_NULL, MPI_ERR_PORT, "version 9");
    both_fail("starling1-12-3-4", MPI_INFO_NULL, MPI_ERR_PORT, "is no name of a port");
    MPI_Open_port(MPI_INFO_NULL, closed);
    memcpy(other, closed, sizeof other);
    CHECK_INT(MPI_Close_port(closed), MPI_SUCCESS);
    CHECK_INT(error_class(MPI_Close_port(closed)), MPI_ERR_PORT);
    check_text(MPI_Close_port(closed), "is not open in this process");
    CHECK_INT(error_class(MPI_Close_port("no port")), MPI_ERR_PORT);
    CHECK_INT(error_class(MPI_Close_port(NULL)), MPI_ERR_ARG);
    both_fail(closed, MPI_INFO_NULL, MPI_ERR_PORT, "open");
    strcat(other, "-"); /* as a line that was cut */
    both_fail(other, MPI_INFO_NULL, MPI_ERR_PORT, "is no name of a port");
}

static void wrong_options(void)
{
    static const char *const bad[][3] = {
        { "ip_port", "0", "ip_port is '0'" },
        { "ip_port", "65536", "ip_port is '65536'" },
        { "ip_port", "12x", "'12x'" },
        { "ip_address", "999.1.1.1", "999.1.1.1" },
        { "ip_address", "2001:db8::17", "2001:db8::17" },
    };
    char port[MPI_MAX_PORT_NAME], first[MPI_MAX_PORT_NAME];
    MPI_Info info;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        MPI_Info_create(&info);
        MPI_Info_set(info, bad[i][0], bad[i][1]);
        int err = MPI_Open_port(info, port);
        CHECK_INT(error_class(err), MPI_ERR_INFO_VALUE);
        check_text(err, bad[i][2]);
        MPI_Info_free(&info);
    }
    CHECK_INT(error_class(MPI_Open_port((MPI_Info) 0x12345678, port)), MPI_ERR_INFO);
    CHECK_INT(error_class(MPI_Open_port(MPI_INFO_NULL, NULL)), MPI_ERR_ARG);
    MPI_Open_port(MPI_INFO_NULL, first);
    both_fail(first, (MPI_Info) 0x12345678, MPI_ERR_INFO, "info");
    MPI_Info_create(&info);
    MPI_Info_set(info, "timeout", "soon");
    both_fail(first, info, MPI_ERR_INFO_VALUE, "timeout is 'soon'");
    MPI_Info_set(info, "timeout", "-3");
    both_fail(first, info, MPI_ERR_INFO_VALUE, "timeout is '-3'");
    MPI_Info_set(info, "timeout", "0");
    MPI_Comm made;
    int err = MPI_Comm_accept(first, info, 0, MPI_COMM_SELF, &made);
    CHECK_INT(error_class(err), MPI_ERR_PORT);
    check_text(err, "within 0 seconds");
    MPI_Info_free(&info);
    CHECK_INT(error_class(MPI_Comm_connect(first, MPI_INFO_NULL, 0, MPI_COMM_SELF, &made)),
              MPI_ERR_PORT);
    CHECK_INT(MPI_Close_port(first), MPI_SUCCESS);
}

static void wrong_others(void)
{
    MPI_Comm made, inter, half;

    CHECK_INT(error_class(MPI_Comm_accept("", MPI_INFO_NULL, size, MPI_COMM_WORLD, &made)),
              MPI_ERR_ROOT);
    CHECK_INT(error_class(MPI_Comm_connect("", MPI_INFO_NULL, -1, MPI_COMM_WORLD, &made)),
              MPI_ERR_ROOT);
    CHECK_INT(error_class(MPI_Comm_connect("", MPI_INFO_NULL, 0, MPI_COMM_NULL, &made)),
              MPI_ERR_COMM);
    CHECK_INT(error_class(MPI_Comm_accept("", MPI_INFO_NULL, 0, MPI_COMM_WORLD, NULL)),
              MPI_ERR_ARG);
    if (size == 1)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !(rank % 2), 0, &inter);
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    CHECK_INT(error_class(MPI_Comm_accept("", MPI_INFO_NULL, 0, inter, &made)), MPI_ERR_COMM);
    MPI_Comm_free(&half);
    MPI_Comm_free(&inter);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (root = 0; root<size; root += size> 1 ? size - 1 : 1) {
        wrong_names();
        wrong_options();
    }
    wrong_others();
    MPI_Finalize();
    return 0;
}
