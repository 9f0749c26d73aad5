/* left.c — leaves one object of each kind unfreed, for left.py. Only for Starling. */
#include <unistd.h>
#include "mpitest.h"

static int query(void *extra, MPI_Status *status)
{
    (void) extra;
    return MPI_Status_set_elements(status, MPI_BYTE, 0);
}

static int release(void *extra) { return extra ? MPI_ERR_OTHER : MPI_SUCCESS; }
static int cancel(void *extra, int complete) { return extra || complete; }
static void add(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void) in, (void) inout, (void) len, (void) type;
}

static void handle(MPI_Comm *c, int *code, ...) { (void) c, (void) code; }

static char room[1000];
static int numbers[4];

static void leave_requests(void)
{
    MPI_Request r[8];
    MPI_Message message;
    MPI_Comm comm;
    int rank;

    for (int i = 0; i < 2; i++)
        MPI_Irecv(&numbers[i], 1, MPI_INT, MPI_ANY_SOURCE, 100 + i, MPI_COMM_WORLD, &r[i]);
    MPI_Issend(&numbers[2], 1, MPI_INT, 0, 99, MPI_COMM_SELF, &r[2]);
    MPI_Recv(&numbers[3], 1, MPI_INT, 0, 99, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Send(&numbers[2], 1, MPI_INT, 0, 99, MPI_COMM_SELF);
    MPI_Mprobe(0, 99, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int tag = 98; tag > 96; tag--) /* never received */
        MPI_Send(&numbers[2], 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
    MPI_Send_init(numbers, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[3]);
    MPI_Recv_init(numbers, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[4]);
    MPI_Grequest_start(query, release, cancel, NULL, &r[5]);
    MPI_Comm_idup(MPI_COMM_SELF, &comm, &r[6]);
}

/* An open file has a window, info and datatypes of its own. */
static void leave_file(void)
{
    char path[] = "/tmp/mpi-left-XXXXXX";
    int fd = mkstemp(path);
    MPI_Datatype vector;
    MPI_Info info;
    MPI_File f;

    CHECK(fd >= 0 && close(fd) == 0);
    MPI_Info_create(&info);
    MPI_Info_set(info, "io_node_list", "a,b"); /* is kept as a text */
    CHECK(!MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR, info, &f));
    MPI_Info_free(&info);
    CHECK(unlink(path) == 0);
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    CHECK(!MPI_File_set_view(f, 0, MPI_INT, vector, "external32", MPI_INFO_NULL));
    MPI_Type_free(&vector);
}

/* These cannot be freed. */
static void leave_own_codes(void)
{
    MPI_Info info;
    int code;

    MPI_Add_error_class(&code);
    MPI_Add_error_string(code, "text");
    MPI_Info_dup(MPI_INFO_ENV, &info);
    MPI_Info_free(&info);
}

/* The user has freed these: the library still uses them. */
static void leave_nothing(void)
{
    MPI_Comm comm;
    MPI_Datatype type, of_type;
    MPI_Request request;
    MPI_Group group;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(&numbers[3], 1, MPI_INT, MPI_ANY_SOURCE, 100, comm, &request);
    MPI_Request_free(&request);
    MPI_Comm_group(comm, &group);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_vector(2, 1, 2, type, &of_type);
    MPI_Type_free(&type);
    MPI_Type_free(&of_type);
    MPI_Type_create_f90_real(6, 30, &type);
    leave_own_codes();
}

int main(int argc, char **argv)
{
    int n = 0;
    MPI_Aint addresses[1];
    MPI_Comm comm;
    MPI_Datatype type, copy, types[1];
    MPI_Group group;
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Info info;
    void *memory;

    MPI_Init(&argc, &argv);
    leave_nothing();
    if (argc > 1) {
        MPI_Finalize();
        return 0;
    }
    leave_requests();
    leave_file();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_split(comm, 0, 0, &comm);
    MPI_Comm_group(comm, &group);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_dup(type, &copy);
    MPI_Type_free(&type);
    MPI_Type_get_contents(copy, 0, 0, 1, &n, addresses, types);
    MPI_Op_create(add, 1, &op);
    MPI_Buffer_attach(room, sizeof room);
    for (int i = 0; i < 3; i++)
        MPI_Alloc_mem(100, MPI_INFO_NULL, &memory);
    MPI_Free_mem(memory);
    MPI_Info_create(&info);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &n, NULL);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler); /* predefined: not counted as left */
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Finalize();
    return 0;
}
