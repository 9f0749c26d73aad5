/* bsend.c — the attached buffer: whatever the order in which messages leave, the sum of their sizes
 * and overheads is enough, and what is under way is never overwritten. Protects P13. */
#include <stdlib.h>
#include <string.h>
#include "fake.h"

enum { MOST = 40, LARGE = 9000, ROUNDS = 400 };

struct message {
    size_t len;
    char fill;
    uint32_t sreq; /* 0: not under way */
};

static char data[LARGE];

static int start(struct message *m, size_t len, char fill)
{
    memset(data, fill, len);
    struct adi3_data d = fake_bytes(data, len);
    int err = adi3_bsend(&d, 1, 0, &adi3_world);
    memset(data, '!', len);
    if (!err)
        *m = (struct message) { len, fill, fake_sent(1, PKT_RTS).sreq };
    return err;
}

/* The receiver asks for the message: its bytes are as they were when it was sent. */
static void leave(struct message *m)
{
    const struct dev_pkt cts = { .type = PKT_CTS, .len = m->len, .sreq = m->sreq };

    assert_int_equal(fake_arrive(1, cts, NULL, FAKE_WHOLE), 0);
    struct fake_packet *p = fake_take();
    assert_true(p->pkt.type == PKT_DATA && p->pkt.payload == m->len);
    for (size_t i = 0; i < m->len; i++)
        assert_int_equal(p->payload[i], m->fill);
    free(p);
    m->sreq = 0;
}

static int setup(void **state)
{
    (void) fake_setup(state);
    proto_credit = 0; /* every message waits until its receiver asks for it */
    adi3_procs[1].credit = 0;
    return 0;
}

static void enough_at_any_alignment(void **state)
{
    (void) state;
    for (size_t off = 0; off < 64; off++) {
        struct message m[MOST] = { 0 };
        size_t sum = 0, len[MOST];
        int n = 1 + (int) unit_random(MOST);
        for (int i = 0; i < n; i++)
            sum += (len[i] = unit_random(i % 3 ? 40 : LARGE)) + MPI_BSEND_OVERHEAD;
        char *all = malloc(off + sum); /* exactly, for the sanitizer */
        assert_int_equal(adi3_buffer_attach(all + off, sum), MPI_SUCCESS);
        for (int again = 0; again < 2; again++) {
            for (int i = 0; i < n; i++)
                assert_int_equal(start(&m[i], len[i], (char) i), MPI_SUCCESS);
            for (int i = 0; i < n; i++)
                leave(&m[again ? n - 1 - i : i]);
        }
        void *buf = NULL;
        size_t size = 0;
        assert_int_equal(adi3_buffer_detach(&buf, &size), MPI_SUCCESS);
        assert_true(buf == all + off && size == sum);
        free(all);
    }
}

/* The standard's allocator (§3.6.1): a queue in a circle, freed from its head on. Where it finds
 * room, so must we. */
struct model {
    size_t at[ROUNDS], end[ROUNDS];
    bool over[ROUNDS];
    int head, tail;
    size_t room;
};

static bool model_takes(struct model *m, size_t n)
{
    while (m->head < m->tail && m->over[m->head])
        m->head++;
    size_t at = 0;
    if (m->head < m->tail) {
        size_t head = m->at[m->head], tail = m->end[m->tail - 1];
        if (tail > head)
            at = m->room - tail >= n ? tail : head >= n ? 0 : SIZE_MAX;
        else
            at = head - tail >= n ? tail : SIZE_MAX;
    }
    if (at == SIZE_MAX || at + n > m->room)
        return false;
    m->at[m->tail] = at;
    m->end[m->tail] = at + n;
    m->over[m->tail++] = false;
    return true;
}

static void no_worse_than_the_model(void **state)
{
    enum { ROOM = 40000 };

    (void) state;
    for (int rep = 0; rep < 30; rep++) {
        static struct model model;
        struct message m[ROUNDS];
        char *all = malloc(ROOM);
        memset(m, 0, sizeof m);
        memset(&model, 0, sizeof model);
        model.room = ROOM;
        assert_int_equal(adi3_buffer_attach(all, ROOM), MPI_SUCCESS);
        int refused = 0;
        for (int i = 0; i < ROUNDS; i++) {
            size_t len = unit_random(i % 2 ? 300 : LARGE);
            if (model_takes(&model, len + MPI_BSEND_OVERHEAD)) {
                assert_int_equal(start(&m[model.tail - 1], len, (char) i), MPI_SUCCESS);
            } else {
                refused++;
            }
            for (int k = model.head; k < model.tail; k++) {
                if (m[k].sreq && unit_random(8) == 0) {
                    leave(&m[k]);
                    model.over[k] = true;
                }
            }
        }
        assert_true(refused > 0); /* the buffer was full now and then */
        for (int k = 0; k < model.tail; k++)
            if (m[k].sreq)
                leave(&m[k]);
        void *buf;
        size_t size;
        assert_int_equal(adi3_buffer_detach(&buf, &size), MPI_SUCCESS);
        free(all);
    }
}

static void errors_name_the_sizes(void **state)
{
    struct message m;
    static char all[1000];
    void *buf;
    size_t size;

    (void) state;
    int err = start(&m, 500, 'a');
    assert_int_equal(fake_class(err), MPI_ERR_BUFFER);
    assert_non_null(strstr(adi3_error_text(err), "500"));
    assert_int_equal(fake_class(adi3_buffer_detach(&buf, &size)), MPI_ERR_BUFFER);
    assert_int_equal(adi3_buffer_attach(all, sizeof all), MPI_SUCCESS);
    assert_int_equal(fake_class(adi3_buffer_attach(all, 10)), MPI_ERR_BUFFER);
    assert_int_equal(start(&m, 500, 'a'), MPI_SUCCESS);
    err = start(&m, 600, 'b');
    assert_int_equal(fake_class(err), MPI_ERR_BUFFER);
    assert_non_null(strstr(adi3_error_text(err), "600"));
    assert_non_null(strstr(adi3_error_text(err), "1000"));
    leave(&m);
    assert_int_equal(adi3_buffer_detach(&buf, &size), MPI_SUCCESS);
    assert_int_equal(adi3_buffer_attach(NULL, 0), MPI_SUCCESS);
    assert_int_equal(fake_class(start(&m, 0, 'a')), MPI_ERR_BUFFER);
    assert_int_equal(adi3_buffer_detach(&buf, &size), MPI_SUCCESS);
}

/* Messages for a peer that is lost free their blocks. */
static void of_a_lost_peer(void **state)
{
    static char all[LARGE];
    struct message m;
    void *buf;
    size_t size;

    (void) state;
    assert_int_equal(adi3_buffer_attach(all, sizeof all), MPI_SUCCESS);
    assert_int_equal(start(&m, 500, 'a'), MPI_SUCCESS);
    fake_lose(1);
    assert_int_equal(adi3_buffer_detach(&buf, &size), MPI_SUCCESS);
    assert_int_equal(fake_requests(), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fake_teardown)
    const struct CMUnitTest tests[] = {
        TEST(enough_at_any_alignment),
        TEST(no_worse_than_the_model),
        TEST(errors_name_the_sizes),
        TEST(of_a_lost_peer),
    };

    return UNIT_RUN(tests);
}
