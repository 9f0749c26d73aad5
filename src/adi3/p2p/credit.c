/* credit.c — credit: how much one sender may leave at a receiver in eager messages.
 *
 * A sender pays credit for each eager message: its bytes, and 256 for its envelope and its place in
 * the queues. The receiver returns it in CREDIT packets once it has taken the messages, so a sender
 * fills a receiver's memory with so much and no more. Without credit a message goes by
 * rendezvous.
 *
 * All processes of our job together may have ALL, and so may those of other jobs, of which nothing
 * says how many there will be: each begins with no more than LEAST, and gets the rest with the
 * first credit that is returned to it, unless others have it. */
#include "adi3/p2p/p2p_impl.h"

size_t proto_credit;

enum { ALL = 64 << 20, LEAST = 256 << 10, MOST = 4 << 20 };

/* As much for each sender as keeps all of them together within bounds. */
static size_t fair_credit(void)
{
    size_t each = ALL / (size_t) adi3_job.size;

    return each < LEAST ? LEAST : each > MOST ? MOST : each;
}

/* Both ends of a pair must count alike. */
static void set_pair_credit(struct proc_job *job)
{
    job->pair = job->credit && job->credit < proto_credit ? job->credit : proto_credit;
    job->begin_credit = job != &proc_own_job && job->pair > LEAST ? LEAST : job->pair;
    job->credit_due = job->begin_credit / 4;
}

void credit_job_added(int first, int count)
{
    struct proc_job *job = proc_job_find(proc_job_of_number(first)->dev.id);

    set_pair_credit(job);
    for (int i = first; i < first + count; i++)
        proc_at(i)->credit = (ptrdiff_t) job->begin_credit;
}

void p2p_set_credit(void)
{
    if (!proto_credit)
        proto_credit = fair_credit();
    proc_own_job.credit = proto_credit;
    set_pair_credit(&proc_own_job); /* jobs_know() gives it to the processes of our job */
}

/* What a process of another job gets beyond what it began with, the first time. */
static size_t grant_rest(const struct adi3_proc *p)
{
    const struct proc_job *job = proc_job_of_peer(&p->peer);
    size_t rest = job->pair - job->begin_credit;

    if (!rest || p->link->granted || proc_granted + rest > ALL)
        return 0;
    p->link->granted = rest;
    proc_granted += rest;
    return rest;
}

/* Credit is returned when a quarter of what the sender began with has come together. */
void proto_return_credit(struct adi3_proc *from, size_t len)
{
    bool due = proto_credit_due(from, len);

    from->pending_credit += (size_t) proto_cost(len);
    if (__builtin_expect(!due, 1))
        return;
    const struct dev_pkt pkt = { .type = PKT_CREDIT,
                                 .key = from->pending_credit + grant_rest(from) };
    from->pending_credit = 0;
    (void) p2p_control(&from->peer, &pkt);
}

static int receive_credit(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) payload;
    struct adi3_proc *p = proc_of(from);

    if (pkt->key > proc_job_of_peer(from)->pair - (size_t) p->credit)
        return p2p_refuse(from, pkt);
    p->credit += (ptrdiff_t) pkt->key;
    return 0;
}

const struct p2p_packet credit_packet = { .name = "CREDIT", .whole = receive_credit };
