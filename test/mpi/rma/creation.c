/* creation.c — R01, R02, R14, R15, G13: what a window tells of itself, whatever made it:
 * attributes, hints, name, group; and what MPI_Win_free does. */
#include "rma_test.h"

static int rank, deleted;

static int deletes(MPI_Win win, int key, void *value, void *extra)
{
    (void) win, (void) key, (void) value, (void) extra;
    deleted++;
    return MPI_SUCCESS;
}

static void check_attributes(MPI_Win w, const void *base, MPI_Aint bytes, int unit, int flavor)
{
    void *at;
    MPI_Aint *n;
    int *value, flag;

    MPI_Win_get_attr(w, MPI_WIN_BASE, &at, &flag);
    CHECK(flag && at == base);
    MPI_Win_get_attr(w, MPI_WIN_SIZE, &n, &flag);
    CHECK(flag && *n == bytes);
    MPI_Win_get_attr(w, MPI_WIN_DISP_UNIT, &value, &flag);
    CHECK(flag && *value == unit);
    MPI_Win_get_attr(w, MPI_WIN_CREATE_FLAVOR, &value, &flag);
    CHECK(flag && *value == flavor);
    MPI_Win_get_attr(w, MPI_WIN_MODEL, &value, &flag);
    CHECK(flag && (*value == MPI_WIN_UNIFIED || *value == MPI_WIN_SEPARATE));
}

static void check_group(MPI_Win w)
{
    MPI_Group ours, all;
    int result;

    MPI_Win_get_group(w, &ours);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_compare(ours, all, &result);
    CHECK_INT(result, MPI_IDENT);
    MPI_Group_free(&ours);
    MPI_Group_free(&all);
}

static void check_name(MPI_Win w)
{
    char name[MPI_MAX_OBJECT_NAME], longest[2 * MPI_MAX_OBJECT_NAME];
    int len;

    MPI_Win_get_name(w, name, &len);
    CHECK(len == 0 && !*name);
    MPI_Win_set_name(w, "halo");
    MPI_Win_get_name(w, name, &len);
    CHECK(len == 4 && !strcmp(name, "halo"));
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    MPI_Win_set_name(w, longest);
    MPI_Win_get_name(w, name, &len);
    CHECK_INT(len, MPI_MAX_OBJECT_NAME - 1);
}

static void free_with_attribute(MPI_Win *w)
{
    int key, before = deleted;

    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, deletes, &key, NULL);
    MPI_Win_set_attr(*w, key, &key);
    MPI_Win_free_keyval(&key);
    MPI_Win_free(w);
    CHECK(*w == MPI_WIN_NULL && deleted == before + 1);
}

/* Sizes and units differ from rank to rank; rank 0 has none. */
static void flavors(void)
{
    double own[8];
    MPI_Win w;
    void *at;

    MPI_Win_create(own, 8 * rank, rank + 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    check_attributes(w, own, 8 * rank, rank + 1, MPI_WIN_FLAVOR_CREATE);
    check_group(w);
    free_with_attribute(&w);
    MPI_Win_allocate(100 * rank, rank + 1, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &w);
    CHECK(!rank == !at);
    check_attributes(w, at, 100 * rank, rank + 1, MPI_WIN_FLAVOR_ALLOCATE);
    check_name(w);
    free_with_attribute(&w);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    check_attributes(w, MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC);
    MPI_Win_attach(w, own, sizeof own);
    MPI_Win_detach(w, own);
    MPI_Win_attach(w, own, sizeof own); /* freeing detaches it */
    free_with_attribute(&w);
}

/* Among the processes of a node, which may be fewer than all. */
static void shared(void)
{
    MPI_Comm node;
    MPI_Win w;
    MPI_Aint bytes;
    int *own, *theirs, unit, me, all, next;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &me);
    MPI_Comm_size(node, &all);
    next = (me + 1) % all;
    MPI_Win_allocate_shared(8 * me, 4, MPI_INFO_NULL, node, &own, &w);
    check_attributes(w, own, 8 * me, 4, MPI_WIN_FLAVOR_SHARED);
    for (int i = 0; i < 2 * me; i++)
        own[i] = me;
    MPI_Win_fence(0, w);
    MPI_Win_shared_query(w, next, &bytes, &unit, &theirs);
    CHECK(bytes == 8 * next && unit == 4 && (!next || theirs[2 * next - 1] == next));
    if (me > 0 && next > 0)
        CHECK(theirs == own + 2 * me);
    MPI_Win_shared_query(w, MPI_PROC_NULL, &bytes, &unit, &theirs);
    CHECK(bytes == (all > 1 ? 8 : 0) && (all == 1 || theirs[1] == 1));
    MPI_Win_fence(0, w);
    MPI_Win_free(&w);
    MPI_Comm_free(&node);
}

/* What is asserted holds when all processes assert it. */
static void hints(void)
{
    MPI_Info in, out;
    MPI_Win w;
    void *at;

    MPI_Info_create(&in);
    MPI_Info_set(in, "no_locks", rank ? "true" : "false");
    MPI_Info_set(in, "same_size", "true");
    MPI_Info_set(in, "accumulate_ordering", "waw,rar");
    MPI_Info_set(in, "accumulate_ops", "same_op");
    MPI_Info_set(in, "mpi_minimum_memory_alignment", "64");
    MPI_Win_allocate(8, 1, in, MPI_COMM_WORLD, &at, &w);
    MPI_Win_get_info(w, &out);
    CHECK(has(out, "no_locks", "false") && has(out, "same_size", "true"));
    CHECK(has(out, "same_disp_unit", "false") && has(out, "accumulate_ops", "same_op"));
    CHECK(has(out, "accumulate_ordering", "rar,waw"));
    CHECK((size_t) at % 64 == 0);
    MPI_Info_free(&out);
    MPI_Info_free(&in);
    MPI_Info_create(&in);
    MPI_Info_set(in, "accumulate_ordering", "none");
    MPI_Win_set_info(w, in);
    MPI_Info_free(&in);
    MPI_Win_get_info(w, &out);
    CHECK(has(out, "accumulate_ordering", "none") && has(out, "same_size", "true"));
    MPI_Info_free(&out);
    MPI_Win_free(&w);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    flavors();
    shared();
    hints();
    MPI_Finalize();
    return 0;
}
