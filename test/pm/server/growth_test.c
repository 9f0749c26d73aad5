/* growth_test.c — the start and the end of a job cost the root as many notes for each node,
 * whatever the number of nodes; and bytes that grow with its logarithm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "hubs.h"
#include "../../test_size.h"

enum {
    EACH = 64, /* ranks of a node */
    LANDING = 14,
    FULL = 16,    /* with servers of all nodes; */
    MILLION = 20, /* the root alone */
    CARD = 32,    /* bytes of a business card and its key, at most; those of programs are longer */
};

static void say_one(int rank, const char *format, int number)
{
    char line[128];

    (void) snprintf(line, sizeof line, format, number);
    send_line(rank, line);
}

/* What src/adi3/proc puts in MPI_Init: business cards, the ranks of each node, and the secret. */
static void put_all(int ranks)
{
    char line[128];

    for (int i = 0; i < ranks; i++) {
        say_one(i, "cmd=put kvsname=job key=card-%1$d value=%1$d\n", i);
        (void) snprintf(line, sizeof line, "cmd=put kvsname=job key=node-%d value=%d-%d\n", i, i,
                        i + EACH - 1);
        if (i % EACH == 0)
            send_line(i, line);
    }
    send_line(0, "cmd=put kvsname=job key=secret value=s\n");
    settle();
}

/* The lowest rank of each node asks for those that are 1, 2, 4, ... nodes away. Returns the most
 * bytes that one node's answers have. */
static size_t get_cards(int nodes)
{
    size_t most = 0;

    for (int i = 0; i < nodes; i++) {
        size_t before = hub[i].bytes;
        for (int far = 1; far < nodes; far *= 2) {
            say_one(i * EACH, "cmd=get kvsname=job key=card-%d\n", (i + far) % nodes * EACH);
            settle();
            say_one(i * EACH, "cmd=get kvsname=job key=card-%d\n",
                    (i - far + nodes) % nodes * EACH);
            settle();
        }
        most = hub[i].bytes - before > most ? hub[i].bytes - before : most;
    }
    return most;
}

static void end_job(int ranks)
{
    all_say(ranks, "cmd=barrier_in\n");
    all_say(ranks, "cmd=finalize\n");
    for (int i = 0; i < ranks; i++)
        end_rank(i);
}

/* JOINED, two barriers, three keys, MISSING, LEFT and GONE. */
static void check_job(int bits)
{
    const int ranks = 1 << bits, nodes = ranks / EACH;

    create_large(ranks, EACH);
    all_say(ranks, INIT);
    put_all(ranks);
    all_say(ranks, "cmd=barrier_in\n");
    all_say(ranks, "cmd=get kvsname=job key=secret\n");
    all_say(ranks, "cmd=get kvsname=job key=STARLING_page_0_node-\n");
    assert_in_range(get_cards(nodes), 1, (size_t) (2 * bits * CARD));
    end_job(ranks);
    assert_true(broken_rank < 0 && !warnings);
    for (int i = 1; i < nodes; i++)
        assert_int_equal(all_notes(i), 1 + 2 * 2 + 3 * 2 + 3);
    destroy();
}

/* The puts of a node in its first barrier. Returns how many bytes. */
static size_t write_puts(int node, char *to, size_t room)
{
    const int first = node * EACH;
    size_t len =
        (size_t) snprintf(to, room, "node-%d%c%d-%d%c", first, 0, first, first + EACH - 1, 0);

    for (int i = first; i < first + EACH; i++)
        len += (size_t) snprintf(to + len, room - len, "card-%d%c%d%c", i, 0, i, 0);
    if (node == 0)
        len += (size_t) snprintf(to + len, room - len, "secret%cs%c", 0, 0);
    return len;
}

/* The root alone, with hubs that say what those above do until the program begins. */
static void check_root(int bits)
{
    const int nodes = (1 << bits) / EACH;
    char puts[EACH * CARD + 64], key[32];

    create_root(1 << bits, EACH);
    for (int i = 0; i < nodes; i++)
        send_note(i, PM_NOTE_JOINED, 0, NULL, 0);
    for (int i = 0; i < nodes; i++)
        send_note(i, PM_NOTE_BARRIER, 0, puts, write_puts(i, puts, sizeof puts));
    for (int i = 0; i < nodes; i++) {
        int next = (i + 1) % nodes * EACH;
        send_note(i, PM_NOTE_GET, 0, "secret", sizeof "secret");
        send_note(i, PM_NOTE_GET, 1, key, (size_t) snprintf(key, sizeof key, "card-%d", next) + 1);
        assert_in_range(hub[i].bytes, 1, (size_t) (2 * bits * CARD));
        assert_int_equal(notes(i, PM_NOTE_RELEASE), 1);
        assert_int_equal(notes(i, PM_NOTE_VALUE), 2);
    }
    destroy();
}

static void test_root(void **state)
{
    (void) state;
    for (int bits = 10; bits <= test_size(LANDING, MILLION); bits += 2)
        check_root(bits);
}

static void test_growth(void **state)
{
    (void) state;
    for (int bits = 10; bits <= test_size(LANDING, FULL); bits += 2)
        check_job(bits);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_growth),
                                        cmocka_unit_test(test_root) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
