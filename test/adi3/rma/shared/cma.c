/* cma.c — MPI_Put and MPI_Get by CMA between layouts of all forms: each byte arrives at its
 * place, and no other is written. The other process is this one, under its own number. */
#include <string.h>
#include "shared_window.h"

enum { BYTES = WINDOW_BYTES, ROUNDS = 2000, MOST = 1 << 12 };

static char mine[BYTES], model[BYTES];
static struct rma_control owner;

int rma_target_data(const struct adi3_win *w, const struct rma_target *t, const struct adi3_rma *x,
                    char *base, struct adi3_data *d)
{
    (void) w;
    (void) t;
    *d = (struct adi3_data) { base + x->disp, x->count, x->type };
    return MPI_SUCCESS;
}

int rma_region_data(const struct adi3_win *w, const struct rma_target *t,
                    const struct rma_regions *r, const struct adi3_rma *x, struct adi3_data *d)
{
    (void) w, (void) t, (void) r, (void) x, (void) d;
    return MPI_ERR_INTERN;
}

int rma_regions_read(const struct adi3_win *w, struct rma_target *t)
{
    (void) w, (void) t;
    return MPI_ERR_INTERN;
}

int rma_batch_add(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
                  const struct adi3_data *there, bool *added)
{
    (void) w, (void) t, (void) x, (void) there, (void) added;
    return MPI_ERR_INTERN;
}

int rma_combine(const struct rma_place *p, const struct adi3_data *target, const struct adi3_rma *x)
{
    (void) p;
    (void) target;
    (void) x;
    return MPI_ERR_INTERN;
}

/* Blocks at random distances, of few bytes or many. */
static struct adi3_type *random_type(void)
{
    struct adi3_type *t;
    int blocklen = 1 + (int) unit_random(unit_random(2) ? 4 : 100);
    int stride = blocklen + (int) unit_random(3) * 5;

    assert_false(adi3_type_hvector(1 + (int) unit_random(9), blocklen, stride,
                                   adi3_type_builtin(MPI_BYTE), &t));
    assert_false(adi3_type_commit(t));
    return t;
}

static void write_random(char *to)
{
    for (int i = 0; i < BYTES; i++)
        to[i] = (char) unit_random(256);
}

static void one_copy(bool put)
{
    struct adi3_win w = { 0 };
    struct rma_target t = { .control = &owner };
    struct adi3_type *here = random_type(), *there = random_type();
    size_t len = 1 + unit_random(unit_random(2) ? 100 : MOST);
    struct adi3_rma x = {
        .kind = put ? ADI3_PUT : ADI3_GET,
        .disp = 64,
        .origin = { mine + 32, len / here->size + 1, here },
        .count = len / there->size + 1,
        .type = there,
    };
    struct adi3_data other = { window_private + 64, x.count, there };
    struct adi3_data *from = put ? &x.origin : &other, to = put ? other : x.origin;
    char *written = put ? window_private : mine;

    write_random(mine);
    write_random(window_private);
    memcpy(model, written, BYTES);
    to.buf = model + ((char *) to.buf - written);
    adi3_copy(from, &to);
    assert_int_equal(rma_cma(&w, &t, &x), MPI_SUCCESS);
    assert_memory_equal(written, model, BYTES);
    adi3_type_release(here);
    adi3_type_release(there);
}

static void each_byte_to_its_place(void **state)
{
    (void) state;
    if (!window_has_cma())
        skip();
    owner = (struct rma_control) { .pid = (int32_t) getpid(),
                                   .base = (uint64_t) (uintptr_t) window_private };
    for (int i = 0; i < ROUNDS; i++)
        one_copy(i % 2);
}

static void no_memory_there(void **state)
{
    struct adi3_win w = { 0 };
    struct rma_target t = { .control = &owner };
    struct adi3_type *byte = adi3_type_builtin(MPI_BYTE);
    struct adi3_rma x = { .kind = ADI3_PUT, .origin = { mine, 1, byte }, .count = 1, .type = byte };

    (void) state;
    owner = (struct rma_control) { .pid = (int32_t) getpid(), .rank = 30, .base = 16 };
    int err = rma_cma(&w, &t, &x);
    assert_int_equal(err & ADI3_CLASS_MASK, MPI_ERR_OTHER);
    assert_non_null(strstr(adi3_error_text(err), "rank 30 "));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_byte_to_its_place),
                                        cmocka_unit_test(no_memory_there) };

    return adi3_type_init() ? 1 : UNIT_RUN(tests);
}
