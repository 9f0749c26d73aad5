/* wrong.c — requests, messages and buffers used where they may not be: the class of the error, in
 * Starling's text the value, and the library works as before. These are cases that the generated
 * tests of single arguments do not reach. This compiles only where handles are numbers. */
#include "../env/starling.h"
#include "grequest.h"

static int rank, size, next, previous, x = 5, y;

static void expect(int code, int class, const char *value)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    CHECK_INT(error_class(code), class);
    MPI_Error_string(code, text, &len);
    if (!starling() || strstr(text, value))
        return;
    fprintf(stderr, "no '%s' in '%s'\n", value, text);
    CHECK(!"the error text names the wrong value");
}

/* Texts show handles that are numbers in hexadecimal. */
static void expect_handle(int code, int class, long long handle)
{
    char hex[24];

    snprintf(hex, sizeof hex, "%x", (unsigned) handle);
    expect(code, class, hex);
}

/* Texts show null handles by name or by number. */
static void expect_null(int code, long long handle)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    MPI_Error_string(code, text, &len);
    if (strstr(text, "_NULL"))
        CHECK_INT(error_class(code), MPI_ERR_REQUEST);
    else
        expect_handle(code, MPI_ERR_REQUEST, handle);
}

static void still_alive(void)
{
    MPI_Request r[2];
    int got = -1;

    MPI_Recv_init(&got, 1, MPI_INT, previous, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(&rank, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &r[1]);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(MPI_Startall(2, r), MPI_SUCCESS);
        CHECK_INT(MPI_Waitall(2, r, MPI_STATUSES_IGNORE), MPI_SUCCESS);
        CHECK_INT(got, previous);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

/* Start wants an inactive persistent request. */
static void start(void)
{
    MPI_Request active, plain, null = MPI_REQUEST_NULL, general, message;
    struct grequest g;

    MPI_Recv_init(&y, 1, MPI_INT, rank, 2, MPI_COMM_WORLD, &active);
    MPI_Start(&active);
    MPI_Irecv(&y, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &plain);
    general = grequest_start(&g, 1);
    message = active;
    expect_handle(MPI_Start(&message), MPI_ERR_REQUEST, (long long) active);
    CHECK(message == active);
    expect_handle(MPI_Start(&plain), MPI_ERR_REQUEST, (long long) plain);
    expect_handle(MPI_Start(&general), MPI_ERR_REQUEST, (long long) general);
    expect_null(MPI_Start(&null), MPI_REQUEST_NULL);
    y = -1;
    MPI_Send(&x, 1, MPI_INT, rank, 2, MPI_COMM_WORLD); /* each request goes on unaffected */
    CHECK_INT(MPI_Wait(&active, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK_INT(y, x);
    MPI_Send(&x, 1, MPI_INT, rank, 3, MPI_COMM_WORLD);
    CHECK_INT(MPI_Wait(&plain, MPI_STATUS_IGNORE), MPI_SUCCESS);
    grequest_complete(&g, general);
    CHECK_INT(MPI_Wait(&general, MPI_STATUS_IGNORE), MPI_SUCCESS);
    MPI_Request_free(&active);
}

/* With one bad entry, no request of the array is started: their receives match nothing. */
static void startall(void)
{
    MPI_Request r[4], plain;
    int got[4] = { -1, -1, -1, -1 }, flag = 0;

    MPI_Irecv(&y, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, &plain);
    for (int i = 0; i < 4; i++)
        MPI_Recv_init(&got[i], 1, MPI_INT, rank, 4, MPI_COMM_WORLD, &r[i]);
    for (int kind = 0; kind < 3; kind++) {
        MPI_Request keep = r[2];

        if (kind == 0)
            r[2] = MPI_REQUEST_NULL;
        else if (kind == 1)
            r[2] = plain;
        else
            MPI_Start(&r[2]);
        if (kind == 0)
            expect(MPI_Startall(4, r), MPI_ERR_REQUEST, "[2]");
        else
            expect_handle(MPI_Startall(4, r), MPI_ERR_REQUEST, (long long) r[2]);
        r[2] = keep;
        for (int i = 0; i < 4; i++) {
            MPI_Request_get_status(r[i], &flag, MPI_STATUS_IGNORE);
            CHECK_INT(flag, kind < 2 || i != 2);
        }
    }
    MPI_Send(&x, 1, MPI_INT, rank, 4, MPI_COMM_WORLD);
    MPI_Wait(&r[2], MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(got[i], i == 2 ? x : -1);
        MPI_Request_free(&r[i]);
    }
    MPI_Send(&x, 1, MPI_INT, rank, 9, MPI_COMM_WORLD);
    MPI_Wait(&plain, MPI_STATUS_IGNORE);
    expect(MPI_Startall(-3, r), MPI_ERR_COUNT, "-3");
}

/* MPI_Grequest_complete takes a generalized request, and each only once. */
static void complete_another(void)
{
    MPI_Request plain, persistent, general;
    struct grequest g;

    MPI_Irecv(&y, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &plain);
    MPI_Recv_init(&y, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &persistent);
    expect_handle(MPI_Grequest_complete(plain), MPI_ERR_REQUEST, (long long) plain);
    expect_handle(MPI_Grequest_complete(persistent), MPI_ERR_REQUEST, (long long) persistent);
    expect_null(MPI_Grequest_complete(MPI_REQUEST_NULL), MPI_REQUEST_NULL);
    MPI_Send(&x, 1, MPI_INT, rank, 5, MPI_COMM_WORLD);
    CHECK_INT(MPI_Wait(&plain, MPI_STATUS_IGNORE), MPI_SUCCESS);
    MPI_Request_free(&persistent);
    general = grequest_start(&g, 1);
    grequest_complete(&g, general);
    expect_handle(MPI_Grequest_complete(general), MPI_ERR_REQUEST, (long long) general);
    CHECK_INT(MPI_Wait(&general, MPI_STATUS_IGNORE), MPI_SUCCESS);
    grequest_check(&g, 1, 1);
}

/* A message handle is not a request handle, is used once, and is not MPI_MESSAGE_NULL. */
static void messages(void)
{
    MPI_Request plain, r;
    MPI_Message message, old, null = MPI_MESSAGE_NULL;

    MPI_Irecv(&y, 1, MPI_INT, rank, 6, MPI_COMM_WORLD, &plain);
    message = (MPI_Message) plain;
    expect_handle(MPI_Mrecv(&y, 1, MPI_INT, &message, MPI_STATUS_IGNORE), MPI_ERR_REQUEST,
                  (long long) plain);
    CHECK(message == (MPI_Message) plain);
    expect_handle(MPI_Imrecv(&y, 1, MPI_INT, &message, &r), MPI_ERR_REQUEST, (long long) plain);
    expect_null(MPI_Mrecv(&y, 1, MPI_INT, &null, MPI_STATUS_IGNORE), MPI_MESSAGE_NULL);
    expect_null(MPI_Imrecv(&y, 1, MPI_INT, &null, &r), MPI_MESSAGE_NULL);
    MPI_Send(&x, 1, MPI_INT, rank, 6, MPI_COMM_WORLD);
    CHECK_INT(MPI_Wait(&plain, MPI_STATUS_IGNORE), MPI_SUCCESS);

    MPI_Request send;
    MPI_Isend(&x, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &send);
    MPI_Mprobe(rank, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    old = message;
    plain = (MPI_Request) message; /* and no call for requests takes a message */
    expect_handle(MPI_Wait(&plain, MPI_STATUS_IGNORE), MPI_ERR_REQUEST, (long long) old);
    expect_handle(MPI_Cancel(&plain), MPI_ERR_REQUEST, (long long) old);
    expect_handle(MPI_Request_free(&plain), MPI_ERR_REQUEST, (long long) old);
    y = -1;
    CHECK_INT(MPI_Mrecv(&y, 1, MPI_INT, &message, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK_INT(y, x);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    expect_handle(MPI_Mrecv(&y, 1, MPI_INT, &old, MPI_STATUS_IGNORE), MPI_ERR_REQUEST,
                  (long long) old);
}

/* Handles of requests that have been freed. */
static void freed(void)
{
    MPI_Request r, old;
    MPI_Status status;
    int flag;

    MPI_Send_init(&x, 1, MPI_INT, next, 8, MPI_COMM_WORLD, &r);
    old = r;
    MPI_Request_free(&r);
    r = old;
    expect_handle(MPI_Start(&r), MPI_ERR_REQUEST, (long long) old);
    expect_handle(MPI_Startall(1, &r), MPI_ERR_REQUEST, (long long) old);
    expect_handle(MPI_Cancel(&r), MPI_ERR_REQUEST, (long long) old);
    expect_handle(MPI_Request_free(&r), MPI_ERR_REQUEST, (long long) old);
    expect_handle(MPI_Wait(&r, &status), MPI_ERR_REQUEST, (long long) old);
    expect_handle(MPI_Request_get_status(r, &flag, &status), MPI_ERR_REQUEST, (long long) old);
    expect_handle(MPI_Grequest_complete(r), MPI_ERR_REQUEST, (long long) old);
    r = MPI_REQUEST_NULL;
    expect_null(MPI_Cancel(&r), MPI_REQUEST_NULL);
    expect_null(MPI_Request_free(&r), MPI_REQUEST_NULL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    if (starling())
        for (int i = 0; i < 20; i++) {
            start();
            startall();
            complete_another();
            messages();
            freed();
            still_alive();
        }
    MPI_Finalize();
    return 0;
}
