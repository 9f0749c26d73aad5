/* errors.c — G01: wrong arguments of group calls are errors of the right class, nothing is made,
 * and the groups stay usable. */
#include <limits.h>
#include "group_test.h"

static MPI_Group made;

#define fails(call, class) failed(__LINE__, #call, call, class)

static void failed(int line, const char *call, int code, int class)
{
    int got = -1;

    CHECK(MPI_Error_class(code, &got) == MPI_SUCCESS);
    mpitest_equal(__FILE__, line, call, got, class);
    CHECK(made == MPI_GROUP_NULL);
}

/* A wrong rank in a range has the class of a rank, as in a list, or of an argument. */
static void range_fails(int code)
{
    int got = -1;

    CHECK(MPI_Error_class(code, &got) == MPI_SUCCESS);
    CHECK(got == MPI_ERR_RANK || got == MPI_ERR_ARG);
    CHECK(made == MPI_GROUP_NULL);
}

static void sets(MPI_Group a, MPI_Group b)
{
    int result = 77;

    fails(MPI_Group_union(a, b, &made), MPI_ERR_GROUP);
    fails(MPI_Group_intersection(a, b, &made), MPI_ERR_GROUP);
    fails(MPI_Group_difference(a, b, &made), MPI_ERR_GROUP);
    fails(MPI_Group_compare(a, b, &result), MPI_ERR_GROUP);
    fails(MPI_Group_translate_ranks(a, 1, &(int) { 0 }, b, &result), MPI_ERR_GROUP);
    fails(MPI_Group_translate_ranks(a, 0, NULL, b, NULL), MPI_ERR_GROUP);
    CHECK_INT(result, 77);
}

static void no_group(void)
{
    int zero = 0, range[1][3] = { { 0, 0, 1 } }, result = 77;

    sets(MPI_GROUP_NULL, group_world);
    sets(group_world, MPI_GROUP_NULL);
    sets(MPI_GROUP_NULL, MPI_GROUP_EMPTY);
    sets(MPI_GROUP_NULL, MPI_GROUP_NULL);
    fails(MPI_Group_size(MPI_GROUP_NULL, &result), MPI_ERR_GROUP);
    fails(MPI_Group_rank(MPI_GROUP_NULL, &result), MPI_ERR_GROUP);
    fails(MPI_Group_incl(MPI_GROUP_NULL, 1, &zero, &made), MPI_ERR_GROUP);
    fails(MPI_Group_excl(MPI_GROUP_NULL, 0, &zero, &made), MPI_ERR_GROUP);
    fails(MPI_Group_range_incl(MPI_GROUP_NULL, 1, range, &made), MPI_ERR_GROUP);
    fails(MPI_Group_range_excl(MPI_GROUP_NULL, 0, range, &made), MPI_ERR_GROUP);
    fails(MPI_Group_free(&made), MPI_ERR_GROUP);
    CHECK_INT(result, 77);
}

static void null_pointers(void)
{
    int zero = 0, range[1][3] = { { 0, 0, 1 } };

    fails(MPI_Group_union(group_world, group_world, NULL), MPI_ERR_ARG);
    fails(MPI_Group_intersection(group_world, group_world, NULL), MPI_ERR_ARG);
    fails(MPI_Group_difference(group_world, group_world, NULL), MPI_ERR_ARG);
    fails(MPI_Group_compare(group_world, group_world, NULL), MPI_ERR_ARG);
    fails(MPI_Group_size(group_world, NULL), MPI_ERR_ARG);
    fails(MPI_Group_rank(group_world, NULL), MPI_ERR_ARG);
    fails(MPI_Group_incl(group_world, 1, &zero, NULL), MPI_ERR_ARG);
    fails(MPI_Group_excl(group_world, 1, &zero, NULL), MPI_ERR_ARG);
    fails(MPI_Group_range_incl(group_world, 1, range, NULL), MPI_ERR_ARG);
    fails(MPI_Group_range_excl(group_world, 1, range, NULL), MPI_ERR_ARG);
    fails(MPI_Group_free(NULL), MPI_ERR_ARG);
}

static void wrong_ranks(int n, const int *ranks)
{
    fails(MPI_Group_incl(group_world, n, ranks, &made), MPI_ERR_RANK);
    fails(MPI_Group_excl(group_world, n, ranks, &made), MPI_ERR_RANK);
}

static void no_ranks(void)
{
    const int wrong[] = { group_size, -1, MPI_ANY_SOURCE, INT_MAX, INT_MIN, MPI_UNDEFINED };
    int result[2] = { 77, 77 };

    for (int i = 0; i < 6; i++) {
        wrong_ranks(1, &wrong[i]);
        if (group_size > 1)
            wrong_ranks(2, (int[]) { 0, wrong[i] });
        if (wrong[i] == MPI_PROC_NULL) /* right where ranks are translated */
            continue;
        int ranks[] = { 0, wrong[i] };
        fails(MPI_Group_translate_ranks(group_world, 2, ranks, group_world, result), MPI_ERR_RANK);
        CHECK(result[0] == 77 && result[1] == 77);
    }
    wrong_ranks(1, (int[]) { MPI_PROC_NULL });
    fails(MPI_Group_incl(MPI_GROUP_EMPTY, 1, &(int) { 0 }, &made), MPI_ERR_RANK);
    fails(MPI_Group_excl(MPI_GROUP_EMPTY, 1, &(int) { 0 }, &made), MPI_ERR_RANK);
    fails(MPI_Group_translate_ranks(MPI_GROUP_EMPTY, 1, &(int) { 0 }, group_world, result),
          MPI_ERR_RANK);
}

static void negative(void)
{
    int zero = 0, range[1][3] = { { 0, 0, 1 } }, result = 77;

    for (int i = 0; i < 2; i++) {
        int n = i ? INT_MIN : -1;
        fails(MPI_Group_incl(group_world, n, &zero, &made), MPI_ERR_ARG);
        fails(MPI_Group_excl(group_world, n, &zero, &made), MPI_ERR_ARG);
        fails(MPI_Group_range_incl(group_world, n, range, &made), MPI_ERR_ARG);
        fails(MPI_Group_range_excl(group_world, n, range, &made), MPI_ERR_ARG);
        fails(MPI_Group_translate_ranks(group_world, n, &zero, group_world, &result), MPI_ERR_ARG);
    }
    CHECK_INT(result, 77);
}

static void wrong_ranges(int n, int ranges[][3])
{
    range_fails(MPI_Group_range_incl(group_world, n, ranges, &made));
    range_fails(MPI_Group_range_excl(group_world, n, ranges, &made));
}

static void no_ranges(void)
{
    int last = group_size - 1;

    wrong_ranges(1, (int[][3]) { { group_size, group_size, 1 } });
    wrong_ranges(1, (int[][3]) { { -1, 0, 1 } });
    wrong_ranges(1, (int[][3]) { { 0, group_size, 1 } });
    wrong_ranges(1, (int[][3]) { { last, -1, -1 } });
    wrong_ranges(1, (int[][3]) { { INT_MIN, 0, 1 } });
    wrong_ranges(1, (int[][3]) { { INT_MAX, INT_MAX, 1 } });
    wrong_ranges(2, (int[][3]) { { 0, 0, 1 }, { 0, 0, 1 } });
    wrong_ranges(2, (int[][3]) { { 0, last, 1 }, { last, 0, -1 } });
    if (group_size > 1) {
        wrong_ranges(1, (int[][3]) { { 0, last, -1 } });
        wrong_ranges(1, (int[][3]) { { last, 0, 1 } });
        wrong_ranges(2, (int[][3]) { { 1, last, 1 }, { last, 1, -last } });
    }
    for (int in = 0; in < 2; in++) {
        int still[2][3] = { { 0, 0, 0 }, { 0, last, 0 } };
        for (int i = 0; i < 2; i++)
            fails((in ? MPI_Group_range_incl : MPI_Group_range_excl)(group_world, 1, &still[i],
                                                                     &made),
                  MPI_ERR_ARG);
    }
}

int main(int argc, char **argv)
{
    int all[GROUP_MOST];

    group_begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    made = MPI_GROUP_NULL;
    no_group();
    null_pointers();
    no_ranks();
    negative();
    no_ranges();
    for (int i = 0; i < group_size; i++)
        all[i] = i;
    group_is(group_of(group_size, all), group_size, all);
    group_end();
    return 0;
}
