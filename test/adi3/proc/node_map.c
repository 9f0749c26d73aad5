/* node_map.c — lists of the ranks of nodes, as they are in the launcher's store. */
#include <stdlib.h>
#include "fake.h"

static void check_write(const int *rank, int count, const char *want)
{
    char text[NODE_LIST];

    CHECK(node_map_write(rank, count, 0, text) == count);
    CHECK(!strcmp(text, want));
}

static void lists_are_ranges(void)
{
    static const int rank[] = { 0, 1, 2, 4, 6, 7 }, far[] = { 3, 4, 20, 36, 52, 53 };

    check_write(rank, 1, "0");
    check_write(rank, 3, "0-2");
    check_write(rank, 4, "0-2,4");
    check_write(rank, 6, "0-2,4,6-7");
    check_write(rank + 3, 2, "4,6");
    check_write(far, 6, "3-4,20-52:16,53");
    check_write(far + 1, 4, "4-52:16");
}

/* What all nodes of a job put, as the launcher returns it; node[i]: of rank i. */
static char *all_lists(const int *node, int size, int nodes, int *lists)
{
    size_t len = 0, room = (size_t) size * 12 + (size_t) nodes * NODE_LIST;
    char *all = malloc(room);
    int *rank = malloc((size_t) size * sizeof *rank);

    CHECK(all && rank);
    *lists = 0;
    for (int n = 0; n < nodes; n++) {
        int count = 0;
        for (int i = 0; i < size; i++)
            if (node[i] == n)
                rank[count++] = i;
        for (int from = 0; from < count; ++*lists) {
            char text[NODE_LIST];
            int next = node_map_write(rank, count, from, text);
            CHECK(next > from && strlen(text) < NODE_LIST);
            len += (size_t) snprintf(all + len, room - len, "%s;", text);
            from = next;
        }
    }
    free(rank);
    return all;
}

enum { RANKS = 2112, NODES = 16 };

/* Every rank of a large job is known by its lists, of which there are so many at most. */
static void check_job(const int *node, int most)
{
    int size = adi3_job.size, lists, leader[NODES], known[RANKS] = { 0 };

    adi3_job.size = RANKS;
    for (int i = RANKS - 1; i >= 0; i--)
        leader[node[i]] = i;
    char *text = all_lists(node, RANKS, NODES, &lists);
    CHECK(lists <= most);
    CHECK(!node_map_read(text, known));
    for (int i = 0; i < RANKS; i++)
        CHECK(known[i] == leader[node[i]] + 1);
    free(text);
    adi3_job.size = size;
}

static void ranks_of_a_large_job_are_known(void)
{
    int node[RANKS];

    for (int i = 0; i < RANKS; i++)
        node[i] = i / (RANKS / NODES);
    check_job(node, NODES);
    for (int i = 0; i < RANKS; i++)
        node[i] = i % NODES;
    check_job(node, NODES);
    for (int i = 0; i < RANKS; i++)
        node[i] = i / 2 % NODES;
    check_job(node, 2 * NODES);
    for (int i = 0; i < RANKS; i++)
        node[i] = (int) unit_random(NODES);
    check_job(node, 2 * NODES);
}

/* What a text says of ranks 1 and 2. */
static void check_read(const char *text, int of_1, int of_2)
{
    int known[FAKE_SIZE] = { 0 };

    CHECK(!node_map_read(text, known));
    CHECK(known[1] == of_1 + 1 && known[2] == of_2 + 1);
}

/* The error shows the text from where it is wrong. */
static void check_refused(const char *text, const char *wrong)
{
    char shown[128];
    int known[FAKE_SIZE];

    (void) snprintf(shown, sizeof shown, "'%s'", wrong);
    CHECK(strstr(adi3_error_text(node_map_read(text, known)), shown));
}

static void texts_are_read_or_refused(void)
{
    check_read("", -1, -1);
    check_read("0;1-2;", 1, 1);
    check_read("2;0;1;", 1, 2);
    check_read("1,2;0;", 1, 1);
    check_read("0-2;", 0, 0);
    check_read("0-2:2;", -1, 0);
    check_read("0,2;0,1;", 0, 0);
    check_read("1-1:1;2-2:2;", 1, 2);
    check_refused("1;3;2;", "3;2;");
    check_refused("1;2", "2");
    check_refused("1-3;", "1-3;");
    check_refused("2-1;", "2-1;");
    check_refused("0-2:0;", "0-2:0;");
    check_refused("0-1:2;", "0-1:2;");
    check_refused("0-2:3;", "0-2:3;");
    check_refused("0-2:;", "0-2:;");
    check_refused("0:2;", "0:2;");
    check_refused("0-;", "0-;");
    check_refused("-1;1;", "-1;1;");
    check_refused("x;1;", "x;1;");
    check_refused(" 1;1;", " 1;1;");
    check_refused("0;;1;", ";1;");
    check_refused("1:2;", "1:2;");
    check_refused("99999999999999999999;1;", "99999999999999999999;1;");
}

int main(void)
{
    lists_are_ranges();
    CHECK(!fake_join());
    ranks_of_a_large_job_are_known();
    texts_are_read_or_refused();
    return 0;
}
