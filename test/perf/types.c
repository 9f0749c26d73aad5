/* types.c — how long MPI_Pack and MPI_Unpack take, and the straight loop for the same type, in
 * turns: loop_pack_column, pack_column, over_loop_pack_column (the ratio), and the same of unpack.
 *
 * Rank 0 alone works, so the distance of the cores does not matter. -o takes names of types. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "layouts.h"
#include "perf.h"

enum op { LOOP_PACK, PACK, LOOP_UNPACK, UNPACK, OPS };

static const char *const op_names[OPS] = {
    [LOOP_PACK] = "loop_pack", [PACK] = "pack", [LOOP_UNPACK] = "loop_unpack", [UNPACK] = "unpack"
};

/* What is measured at the moment. */
static struct {
    enum layout_kind kind;
    const struct layout *layout;
    char *memory, *packed;
    int room;
} now;

static void pack(void)
{
    int at = 0;

    MPI_Pack(now.memory, now.layout->count, now.layout->type, now.packed, now.room, &at,
             MPI_COMM_SELF);
}

static void unpack(void)
{
    int at = 0;

    MPI_Unpack(now.packed, (int) now.layout->len, &at, now.memory, now.layout->count,
               now.layout->type, MPI_COMM_SELF);
}

static void loop_pack(void) { layout_gather[now.kind](now.layout, now.memory, now.packed); }
static void loop_unpack(void) { layout_scatter[now.kind](now.layout, now.memory, now.packed); }

static void (*const do_op[OPS])(void) = {
    [LOOP_PACK] = loop_pack, [PACK] = pack, [LOOP_UNPACK] = loop_unpack, [UNPACK] = unpack
};

/* ---- checks of the results
 * -------------------------------------------------------------------- */

static void fill(char *p, size_t len, unsigned first)
{
    for (size_t i = 0; i < len; i++)
        p[i] = (char) (first + i * 7 + (i >> 8));
}

static void compare(enum op op, const char *got, const char *expected, size_t len)
{
    char text[128];

    if (!memcmp(got, expected, len))
        return;
    (void) snprintf(text, sizeof text, "%s of %s, %zu bytes: not what the loop gives", op_names[op],
                    layout_names[now.kind], now.layout->len);
    perf_fail(text);
}

static void check(void)
{
    size_t len = now.layout->len, span = now.layout->span;
    char *by_loop = perf_buffer(len), *memory = perf_buffer(span);

    fill(now.memory, span, 1);
    loop_pack();
    memcpy(by_loop, now.packed, len);
    fill(now.packed, len, 3);
    pack();
    compare(PACK, now.packed, by_loop, len);
    fill(now.packed, len, 5);
    loop_unpack();
    memcpy(memory, now.memory, span);
    fill(now.memory, span, 1);
    unpack();
    compare(UNPACK, now.memory, memory, span);
    free(by_loop);
    free(memory);
}

/* ---- samples --------------------------------------------------------------------------------- */

static double seconds(enum op op, int iters)
{
    void (*run)(void) = do_op[op];
    double start = MPI_Wtime();

    for (int i = 0; i < iters; i++)
        run();
    return MPI_Wtime() - start;
}

static int calibrate(enum op op)
{
    double wanted = perf.sample_ms * 1e-3, took;
    int iters = 1;

    if (perf.iters)
        return perf.iters;
    while ((took = seconds(op, iters)) < wanted / 8)
        iters *= 4;
    double fits = iters * wanted / took;
    return fits < 1 ? 1 : (int) fits;
}

static void print(const char *prefix, enum op op, size_t size, double value, const char *unit)
{
    char name[64];

    (void) snprintf(name, sizeof name, "%s%s_%s", prefix, op_names[op], layout_names[now.kind]);
    perf_print(name, size, value, unit);
}

static void sample(size_t size)
{
    int iters[OPS];
    double us[OPS];

    for (enum op op = 0; op < OPS; op++)
        iters[op] = calibrate(op);
    for (int s = 0; s < perf.samples; s++) {
        for (enum op op = 0; op < OPS; op++)
            us[op] = seconds(op, iters[op]) * 1e6 / iters[op];
        for (enum op op = 0; op < OPS; op++)
            print("", op, size, us[op], "us");
        print("over_", LOOP_PACK, size, us[PACK] / us[LOOP_PACK], "ratio");
        print("over_", LOOP_UNPACK, size, us[UNPACK] / us[LOOP_UNPACK], "ratio");
    }
}

static void measure(enum layout_kind kind, size_t size)
{
    struct layout *l = layout_new(kind, size);

    if (!l)
        return;
    now.kind = kind;
    now.layout = l;
    MPI_Pack_size(l->count, l->type, MPI_COMM_SELF, &now.room);
    now.memory = perf_buffer(l->span);
    now.packed = perf_buffer((size_t) now.room > l->len ? (size_t) now.room : l->len);
    check();
    sample(size);
    free(now.memory);
    free(now.packed);
    layout_free(l);
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 1, "1024,65536,1048576", NULL, NULL };

    perf_begin(argc, argv, &start);
    for (enum layout_kind k = 0; k < LAYOUTS && perf.rank == 0; k++)
        for (int i = 0; i < perf.nsizes && perf_wanted(layout_names[k]); i++)
            measure(k, perf.sizes[i]);
    perf_gate(); /* the others sleep meanwhile */
    return perf_end();
}
