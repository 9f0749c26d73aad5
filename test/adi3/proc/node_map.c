/* node_map.c — lists of the ranks of nodes, as they are in the launcher's store. */
#include "fake.h"

static void check_write(const int *rank, int count, const char *want)
{
    char text[NODE_LIST];

    CHECK(node_map_write(rank, count, text));
    CHECK(!strcmp(text, want));
}

static void lists_are_ranges(void)
{
    static const int rank[] = { 0, 1, 2, 4, 6, 7 };

    check_write(rank, 1, "0");
    check_write(rank, 3, "0-2");
    check_write(rank, 4, "0-2,4");
    check_write(rank, 6, "0-2,4,6-7");
    check_write(rank + 3, 2, "4,6");
}

static void a_long_list_is_not_written(void)
{
    char text[NODE_LIST];
    int rank[1000], most = 0;

    for (int i = 0; i < 1000; i++)
        rank[i] = i * 2;
    while (most < 1000 && node_map_write(rank, most + 1, text))
        most++;
    CHECK(most > 150 && most < 200);
    CHECK(node_map_write(rank, most, text) && strlen(text) > NODE_LIST - 30);
}

/* What a text says of ranks 1 and 2, which are on other nodes than rank 0. */
static void check_read(const char *text, int of_1, int of_2)
{
    adi3_procs[1].node = adi3_procs[2].node = -1;
    node_map_read(text);
    CHECK(adi3_procs[0].node == -1);
    CHECK(adi3_procs[1].node == of_1 && adi3_procs[2].node == of_2);
}

static void texts_are_read_or_refused(void)
{
    check_read("", -1, -1);
    check_read("0;1-2;", 1, 1);
    check_read("2;0;1;", 1, 2);
    check_read("1,2;0;", 1, 1);
    check_read("0-2;", 0, 0);
    check_read("1;3;2;", 1, -1); /* from an error on, nothing is read */
    check_read("1-3;", -1, -1);
    check_read("2-1;", -1, -1);
    check_read("-1;1;", -1, -1);
    check_read("x;1;", -1, -1);
    check_read(";1;", -1, -1);
    check_read("1:2;", -1, -1);
    check_read("99999999999999999999;1;", -1, -1);
}

int main(void)
{
    lists_are_ranges();
    a_long_list_is_not_written();
    CHECK(!fake_join());
    texts_are_read_or_refused();
    return 0;
}
