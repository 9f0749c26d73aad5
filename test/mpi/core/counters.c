/* counters.c — all counters of the library: names and sentences follow one scheme, every variable
 * can be read, those of objects count what their sentences say, and two of one name are refused. */
#include <stdlib.h>
#include <string.h>
#include "devices/device.h"
#include "mpi/errhan/errhan.h"
#include "mpi/init/init.h"
#include "platform/counter.h"
#include "unit.h"

static const struct counter *const *all;

/* ---- the scheme ------------------------------------------------------------------------------ */

static const char lower[] = "abcdefghijklmnopqrstuvwxyz", in_names[] = "abcdefghijklmnopqrstuvwxyz"
                                                                       "0123456789_";

/* Its room or device, and at least one word more, of lower-case letters and digits. */
static bool is_scheme(const char *name)
{
    size_t len = strlen(name);

    return strspn(name, lower) > 0 && strspn(name, in_names) == len && strchr(name, '_')
           && name[len - 1] != '_' && !strstr(name, "__");
}

static bool is_sentence(const char *doc)
{
    size_t len = strlen(doc);

    return len > 1 && doc[0] >= 'A' && doc[0] <= 'Z' && doc[len - 1] == '.' && !strchr(doc, '\n')
           && !strstr(doc, "  ");
}

static void row_is_complete(const struct counter *c)
{
    assert_true(c->class <= COUNTER_GENERIC && c->type <= COUNTER_UINT64);
    assert_true(c->object <= COUNTER_OF_WIN);
    if (c->object == COUNTER_OF_PROCESS)
        assert_non_null(c->at.value);
    else
        assert_true(c->at.value_of != NULL);
    if (!is_scheme(c->name) || strspn(c->unit, lower) != strlen(c->unit) || !is_sentence(c->doc))
        fail_msg("%s, in %s: %s", c->name, c->unit, c->doc);
}

static void rows_follow_one_scheme(void **state)
{
    int rows = 0;

    (void) state;
    for (const struct counter *const *t = all; *t; t++)
        for (const struct counter *c = *t; c->name; c++) {
            row_is_complete(c);
            rows++;
        }
    assert_true(rows > 10);
}

/* The first word of a name. */
static size_t owner_length(const struct counter *c) { return strcspn(c->name, "_"); }

static bool is_same_owner(const struct counter *a, const struct counter *b)
{
    return owner_length(a) == owner_length(b) && !strncmp(a->name, b->name, owner_length(a));
}

/* So equal names mean the same, and a name says where the row is. */
static void a_table_has_one_owner(void **state)
{
    (void) state;
    for (const struct counter *const *t = all; *t; t++) {
        for (const struct counter *c = *t; c->name; c++)
            assert_true(is_same_owner(*t, c));
        for (const struct counter *const *u = all; u < t; u++)
            assert_false(is_same_owner(*t, *u));
    }
}

static bool is_table(const struct counter *rows)
{
    const struct counter *const *t = all;

    while (*t && *t != rows)
        t++;
    return *t;
}

/* Whether the library has the device that the name of a row begins with. */
static bool is_built_in(const char *row)
{
    int i = 0;

    while (dev_table[i] && strncmp(row, dev_table[i]->name, strcspn(row, "_")) != 0)
        i++;
    return dev_table[i];
}

/* One row of each device that has some. */
static const char *const of_devices[] = { "shm_fifo_cells", "sockets_connections",
                                          "chaos_refused" };

static void devices_are_there(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof of_devices / sizeof *of_devices; i++)
        assert_int_equal(counter_find(all, of_devices[i]) != NULL, is_built_in(of_devices[i]));
    for (int i = 0; dev_table[i]; i++) {
        const struct counter *rows = dev_table[i]->counters;
        if (!rows)
            continue;
        assert_true(is_table(rows));
        assert_int_equal(owner_length(rows), strlen(dev_table[i]->name));
        assert_memory_equal(rows->name, dev_table[i]->name, owner_length(rows));
    }
}

/* A tool that has an index may use it all the time. */
static void tables_stay(void **state)
{
    const struct counter *const *later;
    const struct counter *before[64] = { NULL };
    size_t n = 0;

    (void) state;
    for (; all[n]; n++)
        before[n] = all[n];
    assert_int_equal(mpir_counters(&later), MPI_SUCCESS);
    assert_memory_equal(later, before, (n + 1) * sizeof *before);
}

/* ---- two of one name ------------------------------------------------------------------------- */

static const struct counter *const *planted; /* NULL: nothing is */

const struct counter *const *__real_adi3_counters(void);
const struct counter *const *__wrap_adi3_counters(void);
const struct counter *const *__wrap_adi3_counters(void)
{
    return planted ? planted : __real_adi3_counters();
}

static void two_of_one_name_are_refused(void **state)
{
    static unsigned value;
    static const struct counter rows[] = { { "coll_blocking_calls",
                                             COUNTER_LEVEL,
                                             COUNTER_UNSIGNED,
                                             COUNTER_OF_PROCESS,
                                             { &value },
                                             "calls",
                                             "Another one." },
                                           { 0 } };
    const struct counter *const tables[] = { rows, NULL }, *const *none = NULL;

    (void) state;
    planted = tables;
    int err = mpir_counters(&none);
    planted = NULL;
    assert_int_equal(err & ADI3_CLASS_MASK, MPI_ERR_INTERN);
    assert_string_equal(adi3_error_text(err), "two counters have the name 'coll_blocking_calls'");
    assert_null(none);
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t value_of(const char *name, const void *object)
{
    const struct counter *c = counter_find(all, name);

    assert_non_null(c);
    assert_int_equal(c->object == COUNTER_OF_PROCESS, object == NULL);
    return counter_value(c, object);
}

static void variables_can_be_read(void **state)
{
    (void) state;
    for (const struct counter *const *t = all; *t; t++)
        for (const struct counter *c = *t; c->name; c++)
            if (c->object == COUNTER_OF_PROCESS && c->class == COUNTER_LEVEL)
                assert_true(counter_value(c, NULL) < 1000);
            else if (c->object == COUNTER_OF_PROCESS)
                (void) counter_value(c, NULL);
}

static void queues_of_a_communicator(void **state)
{
    int in = 0, out = 5;
    MPI_Request r[2];

    (void) state;
    MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &r[0]);
    assert_int_equal(value_of("p2p_posted_receives", &adi3_self), 1);
    assert_int_equal(value_of("p2p_posted_receives", &adi3_world), 0);
    MPI_Isend(&out, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &r[1]);
    assert_int_equal(value_of("p2p_unexpected_messages", &adi3_self), 1);
    MPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
    assert_int_equal(value_of("p2p_posted_receives", &adi3_self), 0);
    MPI_Recv(&in, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    assert_int_equal(value_of("p2p_unexpected_messages", &adi3_self), 0);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void calls_on_a_communicator(void **state)
{
    static const char *const names[] = { "coll_blocking_calls", "coll_nonblocking_calls",
                                         "coll_persistent_calls" };
    uint64_t before[3], contexts = value_of("p2p_contexts", NULL);
    MPI_Request r;
    MPI_Comm dup;

    (void) state;
    for (int i = 0; i < 3; i++)
        before[i] = value_of(names[i], &adi3_self);
    MPI_Barrier(MPI_COMM_SELF);
    for (int i = 0; i < 2; i++) {
        MPI_Ibarrier(MPI_COMM_SELF, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 3; i++) {
        MPI_Barrier_init(MPI_COMM_SELF, MPI_INFO_NULL, &r);
        MPI_Request_free(&r);
    }
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(value_of(names[i], &adi3_self), before[i] + i + 1);
    MPI_Comm_dup(MPI_COMM_SELF, &dup);
    assert_int_equal(value_of("p2p_contexts", NULL), contexts + 2);
    MPI_Comm_free(&dup);
    assert_int_equal(value_of("p2p_contexts", NULL), contexts);
}

static void locks_of_a_window(void **state)
{
    MPI_Win win;
    int *base;

    (void) state;
    MPI_Win_allocate(sizeof *base, 1, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win);
    const struct adi3_win *w = adi3_win_get(win);
    assert_int_equal(value_of("rma_locked_targets", w), 0);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    assert_int_equal(value_of("rma_locked_targets", w), 1);
    MPI_Win_unlock(0, win);
    assert_int_equal(value_of("rma_locked_targets", w), 0);
    MPI_Win_free(&win);
}

static void requests_of_a_file(void **state)
{
    char path[] = "/tmp/mpi-counters-XXXXXX", byte = 'x';
    int fd = mkstemp(path);
    MPI_Request r;
    MPI_File f;

    (void) state;
    assert_true(fd >= 0 && close(fd) == 0);
    assert_int_equal(MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                                   MPI_INFO_NULL, &f),
                     MPI_SUCCESS);
    MPI_File_iwrite_at(f, 0, &byte, 1, MPI_BYTE, &r);
    assert_int_equal(value_of("io_file_requests", adi3_file_get(f)), 1);
    assert_int_equal(value_of("io_jobs", NULL), 1);
    assert_int_equal(value_of("io_workers", NULL), 1);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    assert_int_equal(value_of("io_file_requests", adi3_file_get(f)), 0);
    assert_int_equal(value_of("io_jobs", NULL), 0);
    MPI_File_close(&f);
}

static void allocations(void **state)
{
    void *base;

    (void) state;
    assert_int_equal(value_of("alloc_mem_blocks", NULL), 0);
    MPI_Alloc_mem(100, MPI_INFO_NULL, &base);
    assert_int_equal(value_of("alloc_mem_blocks", NULL), 1);
    MPI_Free_mem(base);
    assert_int_equal(value_of("alloc_mem_blocks", NULL), 0);
}

static int begin(void **state) { return (void) state, MPI_Init(NULL, NULL); }
static int end(void **state) { return (void) state, MPI_Finalize(); }

int main(void)
{
    static const struct CMUnitTest outside[] = {
        cmocka_unit_test(rows_follow_one_scheme), cmocka_unit_test(a_table_has_one_owner),
        cmocka_unit_test(devices_are_there),      cmocka_unit_test(tables_stay),
        cmocka_unit_test(variables_can_be_read),  cmocka_unit_test(two_of_one_name_are_refused),
    };
    static const struct CMUnitTest inside[] = {
        cmocka_unit_test(queues_of_a_communicator),
        cmocka_unit_test(calls_on_a_communicator),
        cmocka_unit_test(locks_of_a_window),
        cmocka_unit_test(requests_of_a_file),
        cmocka_unit_test(allocations),
        cmocka_unit_test(tables_stay),
        cmocka_unit_test(variables_can_be_read),
    };

    if (mpir_counters(&all)) /* before MPI_Init */
        return 1;
    return UNIT_RUN(outside) + UNIT_RUN_BETWEEN(inside, begin, end) + UNIT_RUN(outside);
}
