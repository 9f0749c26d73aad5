/* growth.c — what a process has touched of memory when MPI_Init of a large job returns, and what
 * talking to a few processes adds, and asking where all are. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "fake.h"
#include "adi3/proc/node_segment.h"

enum { RANKS = 1 << 20, NODES = 256, HERE = RANKS / NODES, SLACK = 2 << 20 };

/* Bytes in a line of smaps_rollup. */
static size_t touched(const char *what)
{
    char line[128];
    size_t len = strlen(what), kb = 0;
    FILE *f = fopen("/proc/self/smaps_rollup", "r");

    CHECK(f);
    while (fgets(line, sizeof line, f))
        if (!strncmp(line, what, len) && line[len] == ':')
            kb = strtoul(line + len + 1, NULL, 10);
    (void) fclose(f);
    return kb << 10;
}

static size_t of_process(void) { return touched("Anonymous"); } /* without the page of zeros */
static size_t of_node(void) { return touched("Pss_Shmem"); }

/* The others of a node on which every NODES-th process is do as this process: they have joined when
 * the first barrier is over, and have opened the device at the second one. */
static void others_join(void)
{
    struct node_head *head = segment_own.head;

    atomic_store(&head->count, HERE);
    for (int i = 1; i < HERE; i++) {
        head->slot[i].rank = i * NODES;
        memcpy(head->slot[i].endpoint, head->slot[0].endpoint, sizeof head->slot[i].endpoint[0]);
        node_local_enter(i * NODES, i);
    }
}

static char *cyclic_lists(void)
{
    char *text = calloc(NODES, 32), *at = text;

    for (int i = 0; text && i < NODES; i++)
        at += sprintf(at, "%d-%d:%d;", i, RANKS - NODES + i, NODES);
    return text;
}

static void talk(void)
{
    for (int far = 1; far < RANKS; far *= 2) {
        const struct dev_peer *peer = p2p_upcalls.peer(&proc_own_job.dev, far);
        CHECK(peer->rank == far && (peer->node == &adi3_node) == (node_local(far) >= 0));
    }
}

static void find_all(void)
{
    for (int r = 0, leader; r < RANKS; r++) {
        CHECK(!adi3_node_of(&adi3_world, r, &leader) && leader == r % NODES);
        CHECK(node_local(r) == (r % NODES ? -1 : r / NODES));
    }
}

/* In a process of its own, which no other one follows to MPI_Finalize. */
static void check_growth(bool cyclic)
{
    fake_size = RANKS;
    fake_lists = cyclic ? cyclic_lists : NULL;
    fake_barrier = cyclic ? others_join : NULL;
    fake_reset();
    size_t before = of_process(), shared = of_node();
    CHECK(!fake_join());
    CHECK(of_process() - before <= 8ul * RANKS + SLACK);
    talk();
    if (cyclic)
        find_all();
    CHECK(of_process() - before <= 8ul * RANKS + SLACK);
    /* local, node and ranks of struct table */
    CHECK(of_node() - shared <= 10ul * RANKS + HERE * sizeof(struct node_slot) + SLACK);
    _exit(0);
}

int main(void)
{
    for (int cyclic = 0; cyclic < 2; cyclic++) {
        int status;
        pid_t pid = fork();
        if (!pid)
            check_growth(cyclic);
        CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    }
    return 0;
}
