/* language.c — functions of users are called through the row of their language alone.
 *
 * The language here passes everything by reference, and its functions return their error code
 * through the last argument: they have other types than functions in C. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "adi3/adi3_io.h"
#include "mpi/attr/attr.h"
#include "mpi/errhan/errhan.h"
#include "unit.h"

typedef void any_function(void); /* a type that may be cast to all others */

static bool in_row;     /* a caller of the row runs */
static char called[16]; /* a letter for each function that has run */
static int extra;       /* its address is the extra state of all functions */

/* Notes a function. False: it was not called by the row, and must not read its arguments. */
static bool by_row(char letter)
{
    size_t n = strlen(called);

    if (n < sizeof called - 1)
        called[n] = in_row ? letter : '!', called[n + 1] = '\0';
    return in_row;
}

static void expect_calls(const char *letters)
{
    char now[sizeof called];

    memcpy(now, called, sizeof now);
    called[0] = '\0'; /* also for the next test when this one fails */
    assert_string_equal(now, letters);
}

/* ---- users' functions, and the row of their language ----------------------------------------- */

typedef void copy_function(int *object, int *key, void **state, void **in, void **out, int *flag,
                           int *err);
typedef void delete_function(int *object, int *key, void **value, void **state, int *err);
typedef void error_function(char *object, int *code);
typedef void reduce_function(int *in, int *inout, int *len, int *type);
typedef void query_function(void **state, MPI_Status *s, int *err);
typedef void free_function(void **state, int *err);
typedef void cancel_function(void **state, int *complete, int *err);
typedef void convert_function(void *memory, int *type, int *count, void *file, MPI_Offset *position,
                              void **state, int *err);
typedef void extent_function(int *type, MPI_Aint *extent, void **state, int *err);

static char values[3]; /* the address of one is an attribute's value; the copy has the next one */

static void users_copy(int *object, int *key, void **state, void **in, void **out, int *flag,
                       int *err)
{
    if (!by_row('c'))
        return;
    *flag = *object != MPI_COMM_NULL && *key != MPI_KEYVAL_INVALID;
    *out = (char *) *in + 1;
    *err = *state == &extra ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void users_delete(int *object, int *key, void **value, void **state, int *err)
{
    if (!by_row('d'))
        return;
    if (*object != MPI_COMM_NULL && *key != MPI_KEYVAL_INVALID)
        ++*(char *) *value;
    *err = *state == &extra ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void users_error(char *object, int *code)
{
    if (by_row(*object))
        ++*code;
}

static void users_sum(int *in, int *inout, int *len, int *type)
{
    int n = by_row('r') && *type == MPI_INT ? *len : 0;

    for (int i = 0; i < n; i++)
        inout[i] += in[i];
}

static void users_query(void **state, MPI_Status *s, int *err)
{
    if (!by_row('q'))
        return;
    s->MPI_TAG = 5;
    *err = *state == &extra ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void users_free(void **state, int *err)
{
    if (by_row('f'))
        *err = *state == &extra ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void users_cancel(void **state, int *complete, int *err)
{
    if (by_row('x'))
        *err = *state == &extra && !*complete ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/* In the file each int has its bytes the other way round. */
static void users_convert(void *memory, int *type, int *count, void *into, MPI_Offset *position,
                          void **state, int *err)
{
    int *from = (int *) memory + *position, *to = into;

    if (!by_row('w'))
        return;
    for (int i = 0; i < *count && *type == MPI_INT; i++)
        to[i] = (int) __builtin_bswap32((unsigned) from[i]);
    *err = *state == &extra ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void users_extent(int *type, MPI_Aint *extent, void **state, int *err)
{
    if (!by_row('e'))
        return;
    *extent = *type == MPI_INT ? 4 : -1;
    *err = *state == &extra ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/* Calls f as a function of the type T, of which the last argument is the result. */
#define CALL(T, f, ...) (in_row = true, ((T *) (any_function *) (f))(__VA_ARGS__), in_row = false)

static int copy_attr(MPI_Comm_copy_attr_function *f, const struct adi3_attribute *a, void **out,
                     int *flag)
{
    struct adi3_attribute in = *a;
    int err = MPI_ERR_INTERN;

    CALL(copy_function, f, &in.object, &in.keyval, &in.extra, &in.value, out, flag, &err);
    return err;
}

static int delete_attr(MPI_Comm_delete_attr_function *f, const struct adi3_attribute *a)
{
    struct adi3_attribute in = *a;
    int err = MPI_ERR_INTERN;

    CALL(delete_function, f, &in.object, &in.keyval, &in.value, &in.extra, &err);
    return err;
}

enum { WINDOW = 6 };
static MPI_File file = (MPI_File) &extra;

static void comm_error(MPI_Comm_errhandler_function *f, MPI_Comm *comm, int *code, const char *text)
{
    char object = *comm == MPI_COMM_SELF && text ? 'C' : '?';

    CALL(error_function, f, &object, code);
}

static void win_error(MPI_Win_errhandler_function *f, MPI_Win *win, int *code, const char *text)
{
    char object = *win == WINDOW && text ? 'W' : '?';

    CALL(error_function, f, &object, code);
}

static void file_error(MPI_File_errhandler_function *f, MPI_File *fh, int *code, const char *text)
{
    char object = *fh == file && text ? 'F' : '?';

    CALL(error_function, f, &object, code);
}

static void reduce(MPI_User_function *f, const void *in, void *inout, int *len, MPI_Datatype *type)
{
    CALL(reduce_function, f, (int *) in, inout, len, type);
}

static int query(MPI_Grequest_query_function *f, void *state, MPI_Status *status)
{
    int err = MPI_ERR_INTERN;

    CALL(query_function, f, &state, status, &err);
    return err;
}

static int free_state(MPI_Grequest_free_function *f, void *state)
{
    int err = MPI_ERR_INTERN;

    CALL(free_function, f, &state, &err);
    return err;
}

static int cancel(MPI_Grequest_cancel_function *f, void *state, int complete)
{
    int err = MPI_ERR_INTERN;

    CALL(cancel_function, f, &state, &complete, &err);
    return err;
}

static int convert(MPI_Datarep_conversion_function *f, const struct adi3_conversion *c)
{
    struct adi3_conversion in = *c;
    int err = MPI_ERR_INTERN;

    CALL(convert_function, f, in.memory, &in.type, &in.count, in.file, &in.position, &in.extra,
         &err);
    return err;
}

static int file_extent(MPI_Datarep_extent_function *f, MPI_Datatype type, MPI_Aint *extent_of,
                       void *state)
{
    int err = MPI_ERR_INTERN;

    CALL(extent_function, f, &type, extent_of, &state, &err);
    return err;
}

static const struct adi3_language by_reference = { .copy_attr = copy_attr,
                                                   .delete_attr = delete_attr,
                                                   .comm_error = comm_error,
                                                   .win_error = win_error,
                                                   .file_error = file_error,
                                                   .reduce = reduce,
                                                   .query = query,
                                                   .free = free_state,
                                                   .cancel = cancel,
                                                   .convert = convert,
                                                   .file_extent = file_extent };

/* ---- tests ----------------------------------------------------------------------------------- */

/* A user's function as the library stores it. */
#define STORED(T, f) ((T *) (any_function *) (f))

static void attributes(void **state)
{
    const struct mpir_callbacks users = { &by_reference,
                                          STORED(MPI_Comm_copy_attr_function, users_copy),
                                          STORED(MPI_Comm_delete_attr_function, users_delete),
                                          &extra };
    MPI_Comm comm, copy;
    int key, flag;
    void *value;

    (void) state;
    assert_int_equal(mpir_keyval_create(MPIR_ON_COMM, users, &key), MPI_SUCCESS);
    assert_int_equal(MPI_Comm_dup(MPI_COMM_SELF, &comm), MPI_SUCCESS);
    assert_int_equal(MPI_Comm_set_attr(comm, key, &values[0]), MPI_SUCCESS);
    expect_calls("");
    assert_int_equal(MPI_Comm_dup(comm, &copy), MPI_SUCCESS);
    expect_calls("c");
    assert_int_equal(MPI_Comm_get_attr(copy, key, &value, &flag), MPI_SUCCESS);
    assert_true(flag && value == &values[1]);
    assert_int_equal(MPI_Comm_set_attr(copy, key, &values[2]), MPI_SUCCESS);
    expect_calls("d");
    assert_int_equal(MPI_Comm_delete_attr(copy, key), MPI_SUCCESS);
    expect_calls("d");
    assert_int_equal(MPI_Comm_free(&comm), MPI_SUCCESS);
    expect_calls("d");
    assert_true(values[0] == 1 && values[1] == 1 && values[2] == 1);
    assert_int_equal(MPI_Comm_free(&copy), MPI_SUCCESS);
    assert_int_equal(MPI_Comm_free_keyval(&key), MPI_SUCCESS);
    expect_calls("");
}

/* Calls a handler for an object, of which owner is the handle if it is no communicator. */
static void call_handler(enum mpir_errhandler_kind kind, void *owner, const char *calls)
{
    /* All members of the union are pointers to functions. */
    const struct mpir_errhandler_function users = {
        &by_reference, kind, { .comm = STORED(MPI_Comm_errhandler_function, users_error) }
    };
    struct adi3_comm c = { .handle = MPI_COMM_SELF, .owner = owner };
    int code = MPI_ERR_OTHER;

    assert_int_equal(mpir_errhandler_make(users, &c.errhandler), MPI_SUCCESS);
    assert_true(mpir_errhandler_call(&c, &code, "the call"));
    expect_calls(calls);
    assert_int_equal(code, MPI_ERR_OTHER + 1);
    assert_int_equal(MPI_Errhandler_free(&c.errhandler), MPI_SUCCESS);
}

static void error_handlers(void **state)
{
    MPI_Win win = WINDOW;

    (void) state;
    call_handler(MPIR_HANDLES_COMM, NULL, "C");
    call_handler(MPIR_HANDLES_WIN, &win, "W");
    call_handler(MPIR_HANDLES_FILE, &file, "F");
}

static void operations(void **state)
{
    const int in[] = { 1, 2 };
    int inout[] = { 10, 20 };
    MPI_Op op;
    struct adi3_op *o = adi3_new(&adi3_ops, &op);

    (void) state;
    assert_non_null(o);
    *o = (struct adi3_op) { .handle = op,
                            .refs = 1,
                            .function = STORED(MPI_User_function, users_sum),
                            .language = &by_reference };
    assert_int_equal(MPI_Reduce_local(in, inout, 2, MPI_INT, op), MPI_SUCCESS);
    expect_calls("r");
    assert_true(inout[0] == 11 && inout[1] == 22);
    assert_int_equal(MPI_Op_free(&op), MPI_SUCCESS);
}

static void generalized_requests(void **state)
{
    const struct adi3_callbacks users = { &by_reference,
                                          STORED(MPI_Grequest_query_function, users_query),
                                          STORED(MPI_Grequest_free_function, users_free),
                                          STORED(MPI_Grequest_cancel_function, users_cancel),
                                          &extra,
                                          NULL,
                                          NULL };
    MPI_Request request;
    MPI_Status status;

    (void) state;
    assert_int_equal(adi3_general_start(&users, &request), MPI_SUCCESS);
    assert_int_equal(MPI_Cancel(&request), MPI_SUCCESS);
    expect_calls("x");
    assert_int_equal(MPI_Grequest_complete(request), MPI_SUCCESS);
    assert_int_equal(MPI_Wait(&request, &status), MPI_SUCCESS);
    expect_calls("qf");
    assert_int_equal(status.MPI_TAG, 5);
}

/* Three ints as they are in a file of the representation "swapped". */
static void in_swapped(MPI_File f)
{
    int out[] = { 1, 2, 3 }, in[3] = { 0 };
    MPI_Aint bytes;

    assert_int_equal(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "swapped", MPI_INFO_NULL),
                     MPI_SUCCESS);
    assert_non_null(strchr(called, 'e'));
    assert_null(strpbrk(called, "!w"));
    called[0] = '\0';
    assert_int_equal(MPI_File_write_at(f, 0, out, 3, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_non_null(strchr(called, 'w'));
    assert_null(strchr(called, '!'));
    called[0] = '\0';
    assert_int_equal(MPI_File_get_type_extent(f, MPI_INT, &bytes), MPI_SUCCESS);
    assert_int_equal(bytes, 4);
    assert_non_null(strchr(called, 'e'));
    assert_null(strpbrk(called, "!w"));
    called[0] = '\0';
    assert_int_equal(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
                     MPI_SUCCESS);
    assert_int_equal(MPI_File_read_at(f, 0, in, 3, MPI_INT, MPI_STATUS_IGNORE), MPI_SUCCESS);
    expect_calls("");
    assert_true(in[0] == 1 << 24 && in[1] == 2 << 24 && in[2] == 3 << 24);
}

static void representations(void **state)
{
    const struct adi3_datarep users = { .name = "swapped",
                                        .language = &by_reference,
                                        .extent = STORED(MPI_Datarep_extent_function, users_extent),
                                        .write =
                                            STORED(MPI_Datarep_conversion_function, users_convert),
                                        .extra = &extra };
    char path[] = "/tmp/mpi-language-XXXXXX";
    int fd = mkstemp(path);
    MPI_File f;

    (void) state;
    assert_true(fd >= 0 && close(fd) == 0);
    adi3_lock();
    assert_int_equal(adi3_datarep_add(&users), MPI_SUCCESS);
    adi3_unlock();
    assert_int_equal(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                                   MPI_INFO_NULL, &f),
                     MPI_SUCCESS);
    in_swapped(f);
    assert_int_equal(MPI_File_close(&f), MPI_SUCCESS);
}

static int begin(void **state) { return (void) state, MPI_Init(NULL, NULL); }
static int end(void **state) { return (void) state, MPI_Finalize(); }

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes),      cmocka_unit_test(error_handlers),
        cmocka_unit_test(operations),      cmocka_unit_test(generalized_requests),
        cmocka_unit_test(representations),
    };

    return UNIT_RUN_BETWEEN(tests, begin, end);
}
