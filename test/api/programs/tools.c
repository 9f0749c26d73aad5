/* tools.c — features that profilers and libraries use: PMPI wrappers, MPI_T, generalized requests,
 * error handlers, attributes, info, threads, user operations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <mpi.h>

static double seconds;
static int failures;

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    double start = PMPI_Wtime();
    int rc = PMPI_Send(buf, count, datatype, dest, tag, comm);

    seconds += PMPI_Wtime() - start;
    return rc;
}

int MPI_Pcontrol(const int level, ...)
{
    if (level == 0)
        seconds = 0;
    return MPI_SUCCESS;
}

static void list_settings(void)
{
    char name[256], desc[1024];
    int provided, n, name_len, desc_len, verbosity, bind, scope, count, value;
    MPI_Datatype type;
    MPI_T_enum values;
    MPI_T_cvar_handle h;

    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_get_num(&n);
    for (int i = 0; i < n; i++) {
        name_len = sizeof name;
        desc_len = sizeof desc;
        if (MPI_T_cvar_get_info(i, name, &name_len, &verbosity, &type, &values, desc, &desc_len,
                                &bind, &scope)
            != MPI_SUCCESS)
            continue;
        if (type != MPI_INT || bind != MPI_T_BIND_NO_OBJECT || scope == MPI_T_SCOPE_CONSTANT)
            continue;
        if (MPI_T_cvar_handle_alloc(i, NULL, &h, &count) == MPI_SUCCESS && count == 1) {
            MPI_T_cvar_read(h, &value);
            MPI_T_cvar_handle_free(&h);
        }
    }
    MPI_T_finalize();
}

static void read_counters(void)
{
    MPI_T_pvar_session session;
    MPI_T_pvar_handle h;
    int provided, index, count;
    unsigned long long value[8];

    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    if (MPI_T_pvar_get_index("unexpected_queue_length", MPI_T_PVAR_CLASS_LEVEL, &index)
            == MPI_SUCCESS
        && MPI_T_pvar_handle_alloc(session, index, NULL, &h, &count) == MPI_SUCCESS) {
        MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES);
        if (count <= 8)
            MPI_T_pvar_read(session, h, value);
        MPI_T_pvar_handle_free(session, &h);
    }
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}

static int query(void *extra, MPI_Status *status)
{
    MPI_Status_set_elements_x(status, MPI_INT, *(MPI_Count *) extra);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    free(extra);
    return MPI_SUCCESS;
}

static int cancelled(void *extra, int complete)
{
    (void) extra;
    return complete ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void own_request(void)
{
    MPI_Count *n = malloc(sizeof *n), got;
    MPI_Request r;
    MPI_Status status;

    *n = 42;
    MPI_Grequest_start(query, release, cancelled, n, &r);
    MPI_Grequest_complete(r);
    MPI_Wait(&r, &status);
    MPI_Get_elements_x(&status, MPI_INT, &got);
    if (got != 42)
        printf("%lld elements\n", (long long) got);
}

static void count_failure(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int len, errclass;

    MPI_Error_class(*code, &errclass);
    MPI_Error_string(*code, text, &len);
    failures += *comm == MPI_COMM_WORLD && errclass != MPI_SUCCESS;
}

static void own_handler(void)
{
    MPI_Errhandler h;
    int errclass, code;

    MPI_Comm_create_errhandler(count_failure, &h);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, h);
    MPI_Errhandler_free(&h);
    MPI_Add_error_class(&errclass);
    MPI_Add_error_code(errclass, &code);
    MPI_Add_error_string(code, "the pump has stopped");
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void longest(void *in, void *inout, int *len, MPI_Datatype *type)
{
    int size;

    MPI_Type_size(*type, &size);
    if (*len > 0 && memcmp(in, inout, size) > 0)
        memcpy(inout, in, size);
}

static void operations(void)
{
    struct {
        double value;
        int index;
    } in = { 1.5, 0 }, out;
    char word[8] = "word", max[8];
    MPI_Datatype text;
    MPI_Op op;

    MPI_Reduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);
    MPI_Type_contiguous(8, MPI_CHAR, &text);
    MPI_Type_commit(&text);
    MPI_Op_create(longest, 1, &op);
    MPI_Allreduce(word, max, 1, text, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&text);
}

static void attributes(void)
{
    int keyval, flag, n, *tag_ub;
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    MPI_Comm copy;

    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, key);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &flag);
    if (!flag || *tag_ub < 32767)
        printf("tags are too few\n");
    MPI_Info_get_nkeys(MPI_INFO_ENV, &n);
    for (int i = 0; i < n; i++) {
        MPI_Info_get_nthkey(MPI_INFO_ENV, i, key);
        MPI_Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL, value, &flag);
    }
    MPI_Comm_free(&copy);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
    MPI_Comm_free_keyval(&keyval);
}

int main(int argc, char **argv)
{
    int provided, x = 1, y;
    MPI_Request r;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    list_settings();
    read_counters();
    own_request();
    own_handler();
    operations();
    attributes();
    MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &r);
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Pcontrol(0, "a tool may read", 3, "arguments");
    MPI_Finalize();
    return failures != 1 || y != 1;
}
