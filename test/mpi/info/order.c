/* order.c — I02: keys are numbered 0 to n - 1 in a fixed order while nothing is set or deleted,
 * a new value gives a key no new number, and a copy has the same order and
 * is an object of its own. */
#include "info_test.h"

enum { MANY = 100 };

static void name(char key[16], int i) { snprintf(key, 16, "key %d", i * 7919 % 104729); }

/* Looks the numbers up in ascending, descending and random order. */
static void numbered(MPI_Info info, int n)
{
    static char all[MANY][MPI_MAX_INFO_KEY];
    int seen = 0;

    CHECK_INT(nkeys(info), n);
    for (int i = 0; i < n; i++)
        CHECK_INT(MPI_Info_get_nthkey(info, i, all[i]), MPI_SUCCESS);
    for (int i = n - 1; i >= 0; i--)
        nth(info, i, all[i]);
    for (int i = 0; i < n; i++)
        nth(info, i * 37 % n, all[i * 37 % n]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            seen += !strcmp(all[i], all[j]);
    CHECK_INT(seen, 0);
}

static void same(MPI_Info a, MPI_Info b)
{
    char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL + 1];
    int flag;

    CHECK_INT(nkeys(a), nkeys(b));
    for (int i = 0; i < nkeys(a); i++) {
        MPI_Info_get_nthkey(a, i, key);
        nth(b, i, key);
        MPI_Info_get(a, key, MPI_MAX_INFO_VAL, value, &flag);
        has(b, key, value);
    }
}

int main(int argc, char **argv)
{
    char key[16], before[MANY][MPI_MAX_INFO_KEY];
    MPI_Info info, dup;

    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    for (int i = 0; i < MANY; i++) {
        name(key, i);
        MPI_Info_set(info, key, "a value");
        if (i < 20 || i == MANY - 1)
            numbered(info, i + 1);
    }
    for (int i = 0; i < MANY; i++)
        MPI_Info_get_nthkey(info, i, before[i]);
    for (int i = 0; i < MANY; i += 9) {
        name(key, i);
        MPI_Info_set(info, key, "another value, and a longer one");
    }
    for (int i = 0; i < MANY; i++)
        nth(info, i, before[i]);
    CHECK_INT(MPI_Info_dup(info, &dup), MPI_SUCCESS);
    CHECK(dup != info && dup != MPI_INFO_NULL);
    same(info, dup);
    MPI_Info_set(dup, "one more", "x");
    has_not(info, "one more");
    for (int i = 0; i < MANY - 1; i++) { /* first, last and in the middle */
        MPI_Info_get_nthkey(info, i % 2 ? nkeys(info) / 2 : i % 3 ? 0 : nkeys(info) - 1, before[0]);
        CHECK_INT(MPI_Info_delete(info, before[0]), MPI_SUCCESS);
        has_not(info, before[0]);
        numbered(info, MANY - 1 - i);
    }
    CHECK_INT(nkeys(dup), MANY + 1);
    has(dup, "one more", "x");
    MPI_Info_free(&info);
    MPI_Info_dup(dup, &info);
    MPI_Info_free(&dup);
    CHECK_INT(nkeys(info), MANY + 1);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
