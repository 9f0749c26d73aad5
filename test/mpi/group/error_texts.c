/* error_texts.c — the error texts of group calls name the wrong value and its index; and errors
 * that MPICH 4.0 fails to see: ranks listed twice, lists that are NULL, groups that were freed. */
#include <limits.h>
#include "../env/starling.h"
#include "group_test.h"

#define fails(call, class, words) failed(__LINE__, #call, call, class, words)

static MPI_Group made = MPI_GROUP_NULL;

static void failed(int line, const char *call, int code, int class, const char *words)
{
    char text[MPI_MAX_ERROR_STRING];
    int got = -1, len;

    CHECK(MPI_Error_class(code, &got) == MPI_SUCCESS);
    mpitest_equal(__FILE__, line, call, got, class);
    CHECK(MPI_Error_string(code, text, &len) == MPI_SUCCESS);
    if (starling() && !strstr(text, words))
        mpitest_fail(__FILE__, line, text);
    CHECK(made == MPI_GROUP_NULL);
}

static void ranks(void)
{
    const int twice[] = { 0, 0 }, *list = twice;
    int wrong[] = { 0, group_size }, result[2] = { 77, 77 };
    char words[64];

    fails(MPI_Group_incl(group_world, 2, twice, &made), MPI_ERR_RANK, "ranks[1] is 0, as one");
    fails(MPI_Group_excl(group_world, 2, twice, &made), MPI_ERR_RANK, "ranks[1] is 0, as one");
    snprintf(words, sizeof words, "[1] is %d, which is no rank of a group of %d", group_size,
             group_size);
    fails(MPI_Group_incl(group_world, 2, wrong, &made), MPI_ERR_RANK, words);
    fails(MPI_Group_excl(group_world, 2, wrong, &made), MPI_ERR_RANK, words);
    fails(MPI_Group_translate_ranks(group_world, 2, wrong, group_world, result), MPI_ERR_RANK,
          words);
    fails(MPI_Group_incl(group_world, -3, list, &made), MPI_ERR_ARG, "n is negative: -3");
    list = NULL;
    fails(MPI_Group_incl(group_world, 1, list, &made), MPI_ERR_ARG, "ranks is NULL");
    fails(MPI_Group_excl(group_world, 1, list, &made), MPI_ERR_ARG, "ranks is NULL");
    fails(MPI_Group_translate_ranks(group_world, 1, list, group_world, result), MPI_ERR_ARG,
          "ranks1 is NULL");
    fails(MPI_Group_translate_ranks(group_world, 1, twice, group_world, NULL), MPI_ERR_ARG,
          "ranks2 is NULL");
    CHECK(result[0] == 77 && result[1] == 77);
}

static void range_fails(int line, int n, int ranges[][3], int class, const char *words)
{
    failed(line, "incl", MPI_Group_range_incl(group_world, n, ranges, &made), class, words);
    failed(line, "excl", MPI_Group_range_excl(group_world, n, ranges, &made), class, words);
}

static void ranges(void)
{
    char words[64];

    range_fails(__LINE__, 2, (int[][3]) { { 0, 0, 1 }, { 0, 0, 0 } }, MPI_ERR_ARG,
                "stride of ranges[1] is 0");
    range_fails(__LINE__, 2, (int[][3]) { { 0, 0, 1 }, { -1, 0, 1 } }, MPI_ERR_RANK,
                "ranges[1] begins at -1");
    range_fails(__LINE__, 2, (int[][3]) { { 0, 0, 1 }, { 0, 0, -1 } }, MPI_ERR_RANK,
                "rank 0 is in ranges[1] and");
    range_fails(__LINE__, 2, (int[][3]) { { 0, 0, 1 }, { 0, -1, 1 } }, MPI_ERR_ARG,
                "ranges[1] goes from 0 by 1: away from -1");
    range_fails(__LINE__, 1, (int[][3]) { { 0, INT_MIN, -INT_MAX } }, MPI_ERR_RANK,
                "ranges[0] ends at -2147483647");
    snprintf(words, sizeof words, "ranges[0] ends at %d, no rank of a group of %d", group_size,
             group_size);
    range_fails(__LINE__, 1, (int[][3]) { { 0, group_size, 1 } }, MPI_ERR_RANK, words);
    range_fails(__LINE__, 1, NULL, MPI_ERR_ARG, "ranges is NULL");
    range_fails(__LINE__, INT_MIN, NULL, MPI_ERR_ARG, "n is negative");
}

static void freed(void)
{
    int zero = 0, result = 77, range[1][3] = { { 0, 0, 1 } };
    MPI_Group g = group_of(1, &zero), old = g;

    MPI_Group_free(&g);
    fails(MPI_Group_union(old, group_world, &made), MPI_ERR_GROUP, "freed");
    fails(MPI_Group_union(group_world, old, &made), MPI_ERR_GROUP, "freed");
    fails(MPI_Group_intersection(group_world, old, &made), MPI_ERR_GROUP, "freed");
    fails(MPI_Group_difference(group_world, old, &made), MPI_ERR_GROUP, "freed");
    fails(MPI_Group_compare(group_world, old, &result), MPI_ERR_GROUP, "freed");
    fails(MPI_Group_incl(old, 1, &zero, &made), MPI_ERR_GROUP, "freed");
    fails(MPI_Group_excl(old, 1, &zero, &made), MPI_ERR_GROUP, "freed");
    fails(MPI_Group_range_incl(old, 1, range, &made), MPI_ERR_GROUP, "freed");
    fails(MPI_Group_range_excl(old, 1, range, &made), MPI_ERR_GROUP, "freed");
    fails(MPI_Group_translate_ranks(old, 1, &zero, group_world, &result), MPI_ERR_GROUP, "freed");
    fails(MPI_Group_translate_ranks(group_world, 1, &zero, old, &result), MPI_ERR_GROUP, "freed");
    fails(MPI_Group_free(&old), MPI_ERR_GROUP, "freed");
    CHECK_INT(result, 77);
}

int main(int argc, char **argv)
{
    group_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    ranks();
    ranges();
    freed();
    group_end();
    return 0;
}
