/* business_card.c — business cards of processes of another job: any text is taken or refused. */
#include "fake.h"
#include "fuzz.h"

enum { JOB = 0x4d2, SIZE = 2 };

static struct proc_job *other_job(void)
{
    const struct proc_job known = { .dev = { .id = JOB, .size = SIZE }, .name = "job B" };
    struct proc_job *made = NULL;

    MUST(!proc_job_learn(&known, &made));
    return made;
}

/* Nothing of a business card is kept that is of another process; what is kept can be looked up. */
static void give(struct proc_job *job, int rank, const char *text)
{
    struct adi3_proc *p = proc_at(job->first + rank);
    uint64_t share_socket, number;
    char **cards = job->business_cards;
    int node[FAKE_SIZE] = { 0 };

    int err = proc_business_card_give(p, text);
    MUST(!err == (cards[rank] != NULL));
    (void) proc_memory(p, &share_socket, &number);
    (void) business_card_node(p);
    (void) business_card_node_id(p);
    (void) node_map_read(text, node);
    for (int i = 0; i < FAKE_SIZE; i++)
        MUST(node[i] >= 0 && node[i] <= FAKE_SIZE);
    if (!proc_add(p))
        MUST(p->dev && p->peer.endpoint);
    fake_reset();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    char text[PROC_BUSINESS_CARD];
    size_t n = len < sizeof text - 1 ? len : sizeof text - 1;

    if (n)
        memcpy(text, data, n);
    text[n] = '\0';
    fake_start();
    struct proc_job *job = other_job();
    give(job, 0, text);
    give(job, 1, text);
    fake_leave();
    return 0;
}
