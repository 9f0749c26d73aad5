/* rma_loop.c — a window of the fake job whose packets come back. */
#include <stdlib.h>
#include <string.h>
#include "rma_loop.h"

enum { CONTEXT = 0x5000 };

struct loop loop;
_Alignas(16) char loop_memory[LOOP_BYTES];

void loop_window(int flavor, unsigned infos)
{
    const struct adi3_subgroup all = { .size = FAKE_SIZE, .me = FAKE_RANK };
    bool dynamic = flavor == MPI_WIN_FLAVOR_DYNAMIC;
    struct adi3_win_member members[FAKE_SIZE] = { { 0 } };
    struct adi3_win_exposed exposed[FAKE_SIZE] = { { .failed = 0 } };
    static uint32_t windows;
    struct adi3_comm *c;

    loop = (struct loop) { .pieces = FAKE_WHOLE };
    memset(loop_memory, 0, sizeof loop_memory);
    uint32_t ctx = CONTEXT + 2 * windows++;
    assert_int_equal(adi3_comm_new(&adi3_world, &all, ctx, &c), MPI_SUCCESS);
    assert_int_equal(adi3_win_new(c, &loop.w), MPI_SUCCESS);
    loop.w->flavor = flavor;
    loop.w->infos |= infos;
    loop.w->base = dynamic ? NULL : loop_memory;
    loop.w->size = dynamic ? 0 : LOOP_BYTES;
    loop.w->disp_unit = dynamic ? 1 : LOOP_UNIT;
    adi3_win_expose(loop.w, members, &exposed[FAKE_RANK]);
    assert_int_equal(exposed[FAKE_RANK].failed, MPI_SUCCESS);
    assert_int_equal(adi3_win_map(loop.w, exposed), MPI_SUCCESS);
    assert_int_equal(adi3_win_join(loop.w), MPI_SUCCESS);
    adi3_win_open(loop.w);
    loop.t = rma_target(loop.w, 1);
    assert_int_equal(loop.t->path, RMA_MESSAGES);
    fake.poll = loop_pump;
}

void loop_free(void)
{
    assert_int_equal(loop.t->pending, 0);
    assert_null(loop.t->after);
    adi3_win_free(loop.w);
    loop.w = NULL;
}

bool loop_pump(void)
{
    bool any = false;

    fake_finish(0);
    while (fake_waiting()) {
        struct fake_packet *p = fake_take();
        int pieces = loop.pieces < 0 ? (int) unit_random(4) : loop.pieces;
        loop.sent[p->pkt.type]++;
        p->pkt.rank = p->to;
        loop.refused +=
            fake_arrive(p->to, p->pkt, p->payload, p->pkt.payload ? pieces : FAKE_WHOLE) < 0;
        free(p);
        fake_finish(0);
        any = true;
    }
    return any;
}

int loop_setup(void **s)
{
    (void) s;
    loop_window(MPI_WIN_FLAVOR_CREATE, 0);
    return 0;
}

int loop_teardown(void **s)
{
    assert_int_equal(loop.refused, 0);
    loop_free();
    return fake_settled(s);
}

struct adi3_rma loop_op(enum adi3_rma_kind kind, MPI_Aint disp, struct adi3_data origin)
{
    return (struct adi3_rma) { .kind = kind,
                               .target = 1,
                               .disp = disp,
                               .origin = origin,
                               .count = origin.count,
                               .type = origin.type };
}

MPI_Request loop_send(const struct adi3_rma *x, bool wants_request)
{
    MPI_Request h = ADI3_REQUEST_COMPLETE;

    assert_int_equal(rma_send(loop.w, loop.t, x, wants_request ? &h : NULL), MPI_SUCCESS);
    return h;
}

int loop_flush(void) { return rma_flush(loop.w, loop.t); }

const char *loop_text(int err)
{
    const char *text = adi3_error_text(err);

    assert_non_null(text);
    return text;
}
