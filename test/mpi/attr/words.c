/* words.c — G11, E03: whatever code a function of attributes returns, the code of the call has a
 * class, and a text that names the function, the key and the number. The program's own codes are
 * passed on unchanged. Only for Starling. */
#include "../env/starling.h"
#include "kinds.h"

static void check(int err, int class, const char *function, int number)
{
    char text[MPI_MAX_ERROR_STRING], number_text[40];
    int len;

    CHECK_INT(error_class(err), class);
    CHECK_INT(MPI_Error_string(err, text, &len), MPI_SUCCESS);
    CHECK(strstr(text, function));
    snprintf(number_text, sizeof number_text, " has returned %d", number);
    CHECK(strstr(text, number_text));
}

static void returning(enum kind kind, int number, int class)
{
    struct object o = make_object(kind), dup;
    struct key k = { .delete_code = number, .copy_code = number };

    make_key(kind, &k);
    set(o, k.keyval, values);
    check(unset(o, k.keyval), class, "the delete function of the key 0x", number);
    check(set(o, k.keyval, values), class, "the delete function of the key 0x", number);
    check(free_object(&o), class, "the delete function of the key 0x", number);
    check(dup_object(o, &dup), class, "the copy function of the key 0x", number);
    k.delete_code = MPI_SUCCESS;
    free_object(&o);
    free_key(kind, &k.keyval);
}

static void own_code(enum kind kind)
{
    struct object o = make_object(kind), dup;
    struct key k = { 0 };
    int code;

    MPI_Add_error_code(MPI_ERR_IO, &code);
    k.delete_code = k.copy_code = code;
    make_key(kind, &k);
    set(o, k.keyval, values);
    CHECK_INT(unset(o, k.keyval), code);
    CHECK_INT(dup_object(o, &dup), code);
    k.delete_code = MPI_SUCCESS;
    free_object(&o);
    free_key(kind, &k.keyval);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (enum kind kind = COMM; kind < KINDS; kind++) {
        returning(kind, MPI_ERR_DIMS, MPI_ERR_DIMS);
        returning(kind, -1, MPI_ERR_OTHER);
        returning(kind, 100, MPI_ERR_OTHER);
        returning(kind, MPI_ERR_LASTCODE, MPI_ERR_OTHER);
        returning(kind, 0x7fffffff, MPI_ERR_OTHER);
        own_code(kind);
    }
    MPI_Finalize();
    return 0;
}
