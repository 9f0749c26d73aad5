/* stale.c — Starling detects handles that name no object any more, or another one, and reports
 * their value. Other libraries need not; this compiles only where handles are numbers. */
#include <stdint.h>
#include "../env/starling.h"

static void expect(int code, int class, int handle)
{
    char text[MPI_MAX_ERROR_STRING], hex[16];
    int len;

    CHECK_INT(error_class(code), class);
    MPI_Error_string(code, text, &len);
    snprintf(hex, sizeof hex, "%x", (unsigned) handle);
    if (!strstr(text, hex)) {
        fprintf(stderr, "no '%s' in '%s'\n", hex, text);
        CHECK(!"the error text has the handle");
    }
}

static void requests(void)
{
    int x = 0, y, flag, index, n, indices[3];
    MPI_Request r, old, list[3] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL };

    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r);
    old = r;
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    for (int i = 0; i < 10; i++) { /* new objects use its place */
        MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r);
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    r = list[2] = old;
    expect(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, old);
    expect(MPI_Test(&r, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, old);
    expect(MPI_Request_free(&r), MPI_ERR_REQUEST, old);
    expect(MPI_Waitany(3, list, &index, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, old);
    expect(MPI_Testany(3, list, &index, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, old);
    expect(MPI_Waitall(3, list, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST, old);
    expect(MPI_Testall(3, list, &flag, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST, old);
    expect(MPI_Waitsome(3, list, &n, indices, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST, old);
    expect(MPI_Testsome(3, list, &n, indices, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST, old);
    CHECK(r == old && list[2] == old);
    expect(MPI_Waitall(3, list, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST,
           2); /* the place in the array */
}

/* The operation of a freed request goes on, but its handle is invalid. */
static void freed_request(void)
{
    int x = 5, y = 0;
    MPI_Request r, old;

    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r);
    old = r;
    MPI_Request_free(&r);
    r = old;
    expect(MPI_Request_free(&r), MPI_ERR_REQUEST, old);
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    CHECK_INT(y, 5);
    expect(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, old);
}

/* The same request twice in an array: one is completed, the other is an error. */
static void twice(void)
{
    MPI_Request list[2];
    MPI_Status status[2];
    int x = 0, y;

    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &list[0]);
    list[1] = list[0];
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    CHECK_INT(error_class(MPI_Waitall(2, list, status)), MPI_ERR_IN_STATUS);
    CHECK_INT(status[0].MPI_ERROR, MPI_SUCCESS);
    CHECK_INT(error_class(status[1].MPI_ERROR), MPI_ERR_REQUEST);
}

static void communicators(void)
{
    MPI_Comm comm, old;
    MPI_Request r;
    int x = 0;

    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    old = comm;
    MPI_Irecv(&x, 1, MPI_INT, 0, 0, comm, &r); /* it keeps the object, but not the handle */
    MPI_Send(&x, 1, MPI_INT, 0, 0, comm);
    MPI_Comm_free(&comm);
    expect(MPI_Comm_size(old, &x), MPI_ERR_COMM, old);
    expect(MPI_Comm_free(&old), MPI_ERR_COMM, old);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    expect(MPI_Comm_rank(old, &x), MPI_ERR_COMM, old);
}

static void types_and_groups(void)
{
    MPI_Datatype type, old_type;
    MPI_Group group, old_group;
    int x;

    MPI_Type_contiguous(3, MPI_INT, &type);
    old_type = type;
    MPI_Type_free(&type);
    expect(MPI_Type_size(old_type, &x), MPI_ERR_TYPE, old_type);
    expect(MPI_Type_free(&old_type), MPI_ERR_TYPE, old_type);
    MPI_Comm_group(MPI_COMM_SELF, &group);
    old_group = group;
    MPI_Group_free(&group);
    expect(MPI_Group_size(old_group, &x), MPI_ERR_GROUP, old_group);
    expect(MPI_Group_free(&old_group), MPI_ERR_GROUP, old_group);
}

/* Handles of another kind, and numbers that are no handles. */
static void foreign(void)
{
    static const unsigned handles[] = { 0,          1,          0x7fffffff, 0xffffffff, 0x44000007,
                                        0x4c000405, 0x84000000, 0x840fffff, 0x8c0fffff, 0xac0fffff,
                                        0xac000000, 0xacffffff, 0x6c000002, 0x12345678 };

    for (unsigned i = 0; i < sizeof handles / sizeof *handles; i++) {
        int h = (int) handles[i], x;
        MPI_Request r = h;

        expect(MPI_Comm_size(h, &x), MPI_ERR_COMM, h);
        expect(MPI_Group_size(h, &x), MPI_ERR_GROUP, h);
        if (handles[i] != 0x4c000405)
            expect(MPI_Type_size(h, &x), MPI_ERR_TYPE, h);
        expect(MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, h);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (starling()) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        requests();
        freed_request();
        twice();
        communicators();
        types_and_groups();
        foreign();
    }
    MPI_Finalize();
    return 0;
}
