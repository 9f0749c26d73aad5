/* learned_jobs.c — jobs that this process learns of from another process, with their business
 * cards.
 *
 * The launcher knows the cards of our own job alone. Those of other jobs come from their processes,
 * and are kept here. */
#include <stdlib.h>
#include <string.h>
#include "adi3/proc/proc_impl.h"

static char *given_card(const struct proc_job *job, int rank)
{
    char *const *cards = job->cards;

    return cards[rank] ? strdup(cards[rank]) : NULL;
}

/* Of a job that has been learned. */
static void given_cards_free(struct proc_job *job)
{
    char **cards = job->cards;

    for (int i = 0; i < job->dev.size; i++)
        free(cards[i]);
    free(cards);
}

int proc_job_learn(const struct proc_job *known, struct proc_job **job)
{
    struct proc_job learned = *known;
    int size = known->dev.size;

    assert(adi3_lock_held());
    learned.card = given_card;
    learned.free_cards = given_cards_free;
    if (!proc_job_find(known->dev.id) && size > 0
        && !(learned.cards = calloc((size_t) size, sizeof(char *))))
        return adi3_no_memory("for the cards of %d processes of %s", size, known->name);
    int err = proc_job_add(&learned, job);
    if (err || (*job)->cards != learned.cards)
        free(learned.cards);
    return err;
}

int proc_card_give(const struct adi3_proc *p, const char *text)
{
    const struct proc_job *job = proc_job_of(p);
    char **cards = job->cards;
    int rank = p->peer.rank;

    if (job->card != given_card || cards[rank])
        return MPI_SUCCESS; /* our own job: the launcher has it */
    if (!(cards[rank] = strdup(text)))
        return adi3_no_memory("for the card of rank %d of %s", rank, job->name);
    char *card = business_card_fetch(p);
    int err = business_card_check(p, card);
    free(card);
    if (err) {
        free(cards[rank]);
        cards[rank] = NULL;
    }
    return err;
}

const char *proc_job_name(const struct proc_job *job)
{
    return job == &proc_own_job ? adi3_job.name : job->name;
}
