/* languages.c — the functions of each kind of object are called through the row of a language: this
 * test's own, which passes them numbers and counts the calls. */
#include <mpi.h>
#include <stdint.h>
#include <unistd.h>
#include "mpi/core/hooks.h"
#include "mpitest.h"

/* The functions of this language have this type, and no result: they may change *x. */
typedef void function(const char *what, intptr_t *x);
static int calls[12];
enum { COMM_ERROR, WIN_ERROR, FILE_ERROR, REDUCE, QUERY, FREE, CANCEL, CONVERT, EXTENT };

static void user(const char *what, intptr_t *x)
{
    CHECK(!strcmp(what, "here"));
    ++*x;
}

#define USER(type) ((type *) (void (*)(void)) user)
#define CALL(f, x) ((function *) (void (*)(void))(f))("here", &(x))

static void comm_error(MPI_Comm_errhandler_function *f, MPI_Comm *comm, int *code, const char *text)
{
    intptr_t x = 0;

    CALL(f, x);
    CHECK(strstr(text, "MPI_") && x == 1 && *comm != MPI_COMM_NULL && *code);
    calls[COMM_ERROR]++;
}

static void win_error(MPI_Win_errhandler_function *f, MPI_Win *win, int *code, const char *text)
{
    intptr_t x = 0;

    CALL(f, x);
    CHECK(strstr(text, "MPI_") && x == 1 && *win != MPI_WIN_NULL && *code);
    calls[WIN_ERROR]++;
}

/* The handle is an integer in Fortran, and names the same file there. */
static void file_error(MPI_File_errhandler_function *f, MPI_File *file, int *code, const char *text)
{
    intptr_t x = 0;
    MPI_Fint handle = MPI_File_c2f(*file);

    CALL(f, x);
    CHECK(strstr(text, "MPI_") && x == 1 && *code);
    CHECK(MPI_File_f2c(handle) == *file && (handle == 0) == (*file == MPI_FILE_NULL));
    calls[FILE_ERROR]++;
}

static void reduce(MPI_User_function *f, const void *in, void *inout, int *len, MPI_Datatype *type)
{
    intptr_t x = 0;

    CALL(f, x);
    CHECK(x == 1 && *type == MPI_INT);
    for (int i = 0; i < *len; i++)
        ((int *) inout)[i] += ((const int *) in)[i] * 10;
    calls[REDUCE]++;
}

static int query(MPI_Grequest_query_function *f, void *extra, MPI_Status *status)
{
    intptr_t x = (intptr_t) extra;

    CALL(f, x);
    CHECK_INT(x, -41);
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    calls[QUERY]++;
    return MPI_SUCCESS;
}

static int free_fn(MPI_Grequest_free_function *f, void *extra)
{
    intptr_t x = (intptr_t) extra;

    CALL(f, x);
    CHECK_INT(x, -41);
    calls[FREE]++;
    return MPI_SUCCESS;
}

static int cancel(MPI_Grequest_cancel_function *f, void *extra, int complete)
{
    intptr_t x = (intptr_t) extra;

    CALL(f, x);
    CHECK(x == -41 && !complete);
    calls[CANCEL]++;
    return MPI_SUCCESS;
}

static int convert(MPI_Datarep_conversion_function *f, const struct adi3_conversion *c)
{
    intptr_t x = (intptr_t) c->extra;

    CALL(f, x);
    CHECK_INT(x, 8);
    memcpy((int *) c->memory + c->position, c->file, (size_t) c->count * sizeof(int));
    calls[CONVERT]++;
    return MPI_SUCCESS;
}

static int extent(MPI_Datarep_extent_function *f, MPI_Datatype type, MPI_Aint *size, void *extra)
{
    intptr_t x = (intptr_t) extra;

    CALL(f, x);
    CHECK(x == 8 && type == MPI_INT);
    *size = sizeof(int);
    calls[EXTENT]++;
    return MPI_SUCCESS;
}

static const struct adi3_language row = { .comm_error = comm_error,
                                          .win_error = win_error,
                                          .file_error = file_error,
                                          .reduce = reduce,
                                          .query = query,
                                          .free = free_fn,
                                          .cancel = cancel,
                                          .convert = convert,
                                          .file_extent = extent };

static int class_of(int err)
{
    int c = -1;

    MPI_Error_class(err, &c);
    return c;
}

static void operations(void)
{
    int mine = 1, sum = 0, rank, size;
    MPI_Op op;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(USER(MPI_User_function), 1, &op);
    CHECK_INT(MPIR_Op_set_language(op, &row), MPI_SUCCESS);
    MPI_Reduce(&mine, &sum, 1, MPI_INT, op, 0, MPI_COMM_WORLD);
    if (rank == 0 && size == 2)
        CHECK_INT(sum, 11);
    MPI_Op_free(&op);
    mine = 2;
    MPI_Op_create(USER(MPI_User_function), 1, &op);
    CHECK_INT(MPIR_Op_set_language(op, &row), MPI_SUCCESS);
    int before = calls[REDUCE];
    MPI_Reduce_local(&mine, &sum, 1, MPI_INT, op);
    CHECK_INT(calls[REDUCE], before + 1);
    MPI_Op_free(&op);
    CHECK_INT(class_of(MPIR_Op_set_language(op, &row)), MPI_ERR_OP);
    CHECK_INT(class_of(MPIR_Op_set_language(MPI_SUM, &row)), MPI_ERR_OP);
}

static void error_handlers(void)
{
    MPI_Errhandler comm, win, file;
    MPI_Comm c;
    MPI_Win w;

    MPI_Comm_create_errhandler(USER(MPI_Comm_errhandler_function), &comm);
    MPI_Win_create_errhandler(USER(MPI_Win_errhandler_function), &win);
    MPI_File_create_errhandler(USER(MPI_File_errhandler_function), &file);
    CHECK_INT(MPIR_Errhandler_set_language(comm, &row), MPI_SUCCESS);
    CHECK_INT(MPIR_Errhandler_set_language(win, &row), MPI_SUCCESS);
    CHECK_INT(MPIR_Errhandler_set_language(file, &row), MPI_SUCCESS);
    MPI_Comm_dup(MPI_COMM_SELF, &c);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &w);
    MPI_Comm_set_errhandler(c, comm);
    MPI_Win_set_errhandler(w, win);
    MPI_File_set_errhandler(MPI_FILE_NULL, file);

    CHECK_INT(class_of(MPI_Send(NULL, 1, MPI_INT, 9, 0, c)), MPI_ERR_BUFFER);
    MPI_Win_call_errhandler(w, MPI_ERR_RANK);
    MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO);
    CHECK(calls[COMM_ERROR] == 1 && calls[WIN_ERROR] == 1 && calls[FILE_ERROR] == 1);
    /* Errors that the Fortran library finds. */
    CHECK_INT(class_of(MPIR_Error("MPI_Isend", MPIR_ON_COMM, c, MPI_ERR_BUFFER, "it has holes")),
              MPI_ERR_BUFFER);
    CHECK_INT(class_of(MPIR_Error("MPI_Put", MPIR_ON_WIN, w, MPI_ERR_ARG, "wrong")), MPI_ERR_ARG);
    CHECK_INT(class_of(MPIR_File_error("MPI_File_read", MPI_FILE_NULL, MPI_ERR_ARG, "wrong")),
              MPI_ERR_ARG);
    CHECK(calls[COMM_ERROR] == 2 && calls[WIN_ERROR] == 2 && calls[FILE_ERROR] == 3 - 1);

    /* A number that is no file any more. */
    MPI_Offset size;
    CHECK_INT(class_of(MPI_File_get_size(MPI_File_f2c(12345), &size)), MPI_ERR_FILE);
    CHECK_INT(class_of(MPI_File_get_size(MPI_File_f2c(-1), &size)), MPI_ERR_FILE);
    CHECK_INT(calls[FILE_ERROR], 4);

    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&comm);
    MPI_Errhandler_free(&win);
    MPI_Errhandler_free(&file);
    MPI_Comm_call_errhandler(c, MPI_ERR_TAG); /* attached, with its language */
    CHECK_INT(calls[COMM_ERROR], 3);
    MPI_Win_free(&w);
    MPI_Comm_free(&c);
    CHECK_INT(class_of(MPIR_Errhandler_set_language(comm, &row)), MPI_ERR_ARG);
    CHECK_INT(class_of(MPIR_Errhandler_set_language(MPI_ERRORS_RETURN, &row)), MPI_ERR_ARG);
}

static void text_of_error(void)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int len, err;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    err = MPIR_Error("MPI_Isend", MPIR_ON_TYPE, MPI_INT, MPI_ERR_BUFFER, "100% of it: holes");
    MPI_Error_string(err, text, &len);
    CHECK(strstr(text, "100% of it: holes"));
    CHECK_INT(class_of(MPIR_Error("MPI_Isend", MPIR_ON_COMM, 77, MPI_ERR_TAG, "x")), MPI_ERR_TAG);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void requests(void)
{
    MPI_Request r;
    MPI_Status s;
    int n, flag;

    MPI_Grequest_start(USER(MPI_Grequest_query_function), USER(MPI_Grequest_free_function),
                       USER(MPI_Grequest_cancel_function), (void *) -42, &r);
    CHECK_INT(MPIR_Grequest_set_language(r, &row), MPI_SUCCESS);
    MPI_Cancel(&r);
    MPI_Grequest_complete(r);
    MPI_Request_get_status(r, &flag, &s);
    CHECK(flag && calls[QUERY] == 1);
    MPI_Wait(&r, &s);
    MPI_Get_count(&s, MPI_INT, &n);
    CHECK(n == 3 && calls[QUERY] == 2 && calls[FREE] == 1 && calls[CANCEL] == 1);
    CHECK_INT(class_of(MPIR_Grequest_set_language(r, &row)), MPI_ERR_REQUEST);
    MPI_Irecv(&n, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r);
    CHECK_INT(class_of(MPIR_Grequest_set_language(r, &row)), MPI_ERR_REQUEST);
    MPI_Cancel(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void representations(void)
{
    int data[6] = { 1, 2, 3, 4, 5, 6 }, got[6] = { 0 };
    char name[64];
    MPI_File f;

    MPI_Register_datarep("numbers", USER(MPI_Datarep_conversion_function),
                         USER(MPI_Datarep_conversion_function), USER(MPI_Datarep_extent_function),
                         (void *) 7);
    CHECK_INT(MPIR_Datarep_set_language("numbers", &row), MPI_SUCCESS);
    CHECK_INT(class_of(MPIR_Datarep_set_language("none", &row)), MPI_ERR_ARG);
    CHECK_INT(class_of(MPIR_Datarep_set_language("native", &row)), MPI_ERR_ARG);
    snprintf(name, sizeof name, "languages-%ld", (long) getpid());
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &f);
    MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "numbers", MPI_INFO_NULL);
    CHECK(calls[EXTENT]);
    CHECK_INT(MPI_File_write_at(f, 0, data, 6, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK(calls[CONVERT]);
    CHECK_INT(MPI_File_read_at(f, 0, got, 6, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    CHECK(calls[CONVERT] >= 2);
    MPI_File_close(&f);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    operations();
    error_handlers();
    text_of_error();
    requests();
    representations();
    MPI_Finalize();
    return 0;
}
