/* names.c — D13: predefined types have their own names, and some are the same type; a derived type
 * has the name that the user set, and none at first. */
#include "mpitest.h"

static const struct {
    const char *name;
    MPI_Datatype type;
} known[] = {
#define T(name)                                                                                    \
    {                                                                                              \
#name, name                                                                                \
    }
    T(MPI_CHAR),
    T(MPI_SIGNED_CHAR),
    T(MPI_UNSIGNED_CHAR),
    T(MPI_BYTE),
    T(MPI_WCHAR),
    T(MPI_SHORT),
    T(MPI_UNSIGNED_SHORT),
    T(MPI_INT),
    T(MPI_UNSIGNED),
    T(MPI_LONG),
    T(MPI_UNSIGNED_LONG),
    T(MPI_FLOAT),
    T(MPI_DOUBLE),
    T(MPI_LONG_DOUBLE),
    T(MPI_UNSIGNED_LONG_LONG),
    T(MPI_PACKED),
    T(MPI_FLOAT_INT),
    T(MPI_DOUBLE_INT),
    T(MPI_LONG_INT),
    T(MPI_SHORT_INT),
    T(MPI_2INT),
    T(MPI_LONG_DOUBLE_INT),
    T(MPI_COMPLEX),
    T(MPI_DOUBLE_COMPLEX),
    T(MPI_LOGICAL),
    T(MPI_REAL),
    T(MPI_DOUBLE_PRECISION),
    T(MPI_INTEGER),
    T(MPI_2INTEGER),
    T(MPI_2REAL),
    T(MPI_2DOUBLE_PRECISION),
    T(MPI_CHARACTER),
    T(MPI_REAL4),
    T(MPI_REAL8),
    T(MPI_REAL16),
    T(MPI_COMPLEX8),
    T(MPI_COMPLEX16),
    T(MPI_COMPLEX32),
    T(MPI_INTEGER1),
    T(MPI_INTEGER2),
    T(MPI_INTEGER4),
    T(MPI_INTEGER8),
    T(MPI_INTEGER16),
    T(MPI_INT8_T),
    T(MPI_INT16_T),
    T(MPI_INT32_T),
    T(MPI_INT64_T),
    T(MPI_UINT8_T),
    T(MPI_UINT16_T),
    T(MPI_UINT32_T),
    T(MPI_UINT64_T),
    T(MPI_C_BOOL),
    T(MPI_C_DOUBLE_COMPLEX),
    T(MPI_C_LONG_DOUBLE_COMPLEX),
    T(MPI_AINT),
    T(MPI_OFFSET),
    T(MPI_COUNT),
    T(MPI_CXX_BOOL),
    T(MPI_CXX_FLOAT_COMPLEX),
    T(MPI_CXX_DOUBLE_COMPLEX),
    T(MPI_CXX_LONG_DOUBLE_COMPLEX),
#undef T
};

static void check(MPI_Datatype type, const char *expected)
{
    char name[MPI_MAX_OBJECT_NAME + 1];
    int len = -1;

    memset(name, '?', sizeof name);
    MPI_Type_get_name(type, name, &len);
    CHECK_INT(strcmp(name, expected), 0);
    CHECK_INT(len, (int) strlen(expected));
    CHECK(name[MPI_MAX_OBJECT_NAME] == '?');
}

/* Two names for one type: either is right. */
static void check_either(MPI_Datatype type, const char *one, const char *other)
{
    char name[MPI_MAX_OBJECT_NAME];
    int len;

    MPI_Type_get_name(type, name, &len);
    CHECK(strcmp(name, one) == 0 || strcmp(name, other) == 0);
}

static void predefined(void)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].type != MPI_DATATYPE_NULL) /* as MPICH's MPI_INTEGER16 may be */
            check(known[i].type, known[i].name);
    CHECK(MPI_LONG_LONG == MPI_LONG_LONG_INT);
    CHECK(MPI_C_COMPLEX == MPI_C_FLOAT_COMPLEX);
    check_either(MPI_LONG_LONG, "MPI_LONG_LONG", "MPI_LONG_LONG_INT");
    check_either(MPI_C_COMPLEX, "MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX");
}

static void derived(void)
{
    char longest[MPI_MAX_OBJECT_NAME];
    MPI_Datatype type, dup;

    MPI_Type_contiguous(2, MPI_INT, &type);
    check(type, "");
    MPI_Type_set_name(type, "two of them");
    check(type, "two of them");
    MPI_Type_dup(type, &dup); /* a new object: without a name */
    check(dup, "");
    MPI_Type_set_name(dup, " blanks count ");
    check(dup, " blanks count ");
    check(type, "two of them");
    memset(longest, 'n', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    MPI_Type_set_name(type, longest);
    check(type, longest);
    MPI_Type_set_name(type, "");
    check(type, "");
    MPI_Type_commit(&type);
    check(type, "");
    MPI_Type_free(&type);
    check(dup, " blanks count ");
    MPI_Type_free(&dup);
}

static void rename_predefined(void)
{
    MPI_Type_set_name(MPI_INT, "mine");
    check(MPI_INT, "mine");
    MPI_Type_set_name(MPI_INT, "MPI_INT");
    check(MPI_INT, "MPI_INT");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    predefined();
    derived();
    rename_predefined();
    MPI_Finalize();
    return 0;
}
