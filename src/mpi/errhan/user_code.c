/* user_code.c — the error classes, codes and texts that the program adds (§8.5), and the class and
 * the text of any code.
 *
 *   30 | 29 .. 7        | 6 .. 0
 *   1  | number, from 1 | class of the standard
 *
 * They stay until MPI_Finalize. Numbers increase by one, so that processes that add the same codes
 * in the same order get the same values. Guarded by the ADI3 lock. */
#include <stdlib.h>
#include "mpi/errhan/errhan.h"

enum { SHIFT = 7, MOST = (1 << 23) - 1 };

int mpir_last_used_code = MPI_ERR_LASTCODE;
static struct mpir_user_code *codes; /* number i is codes[i - 1] */
static int count, room;

struct mpir_user_code *mpir_user_code(int code)
{
    int number = (code & ~MPIR_USER_CODE) >> SHIFT;

    if (code < MPIR_USER_CODE || number < 1 || number > count || codes[number - 1].code != code)
        return NULL;
    return &codes[number - 1];
}

static bool user_codes_grow(void)
{
    int wanted = room ? 2 * room : 16;
    struct mpir_user_code *more = realloc(codes, (size_t) wanted * sizeof *more);

    if (!more)
        return false;
    codes = more;
    room = wanted;
    return true;
}

int mpir_user_code_add(int errclass, int *code)
{
    bool own = errclass == MPI_ERR_LASTCODE;
    int low = own || errclass > MPI_ERR_LASTCODE ? MPI_ERR_OTHER : errclass;

    if (count == MOST || (count == room && !user_codes_grow()))
        return adi3_no_memory("for error code %d of the program", count + 1);
    *code = MPIR_USER_CODE | (count + 1) << SHIFT | low;
    codes[count++] = (struct mpir_user_code) { *code, own ? *code : errclass, NULL };
    if (own)
        mpir_last_used_code = *code;
    return MPI_SUCCESS;
}

void mpir_user_codes_free(void)
{
    while (count > 0)
        free(codes[--count].text);
    free(codes);
    codes = NULL;
    room = 0;
}

int mpir_error_class(int code)
{
    const struct mpir_user_code *u = mpir_user_code(code);

    if (u)
        return u->errclass;
    if (code == MPI_ERR_LASTCODE)
        return code;
    bool known = code >= 0 && code < MPI_ERR_LASTCODE && adi3_class_text(code & ADI3_CLASS_MASK);
    return known ? code & ADI3_CLASS_MASK : -1;
}

int mpir_error_code_arg(int code)
{
    if (mpir_error_class(code) >= 0)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG, "%d is not an error code", code);
}

const char *mpir_error_cause(int code)
{
    const struct mpir_user_code *u = mpir_user_code(code);
    const char *text = u ? u->text : adi3_error_text(code);

    if (!text)
        text = u ? "an error of the program" : adi3_class_text(code & ADI3_CLASS_MASK);
    return text ? text : "unknown error";
}
