/* learned_jobs.c — jobs that this process learns of from another process, with their business
 * cards.
 *
 * The launcher knows the business cards of our own job alone. Those of other jobs come from their
 * processes, and are kept here. */
#include <stdlib.h>
#include <string.h>
#include "adi3/proc/proc_impl.h"

static char *learned_business_card(const struct proc_job *job, int rank)
{
    char *const *business_cards = job->business_cards;

    return business_cards[rank] ? strdup(business_cards[rank]) : NULL;
}

/* Of a job that has been learned. */
static void learned_business_cards_free(struct proc_job *job)
{
    char **business_cards = job->business_cards;

    for (int i = 0; i < job->dev.size; i++)
        free(business_cards[i]);
    free(business_cards);
}

int proc_job_learn(const struct proc_job *known, struct proc_job **job)
{
    struct proc_job learned = *known;
    int size = known->dev.size;

    assert(adi3_lock_held());
    learned.business_card = learned_business_card;
    learned.free_business_cards = learned_business_cards_free;
    if ((!proc_job_find(known->dev.id) || proc_job_find(known->dev.id)->gone) && size > 0
        && !(learned.business_cards = calloc((size_t) size, sizeof(char *))))
        return adi3_no_memory("for the business cards of %d processes of %s", size, known->name);
    int err = proc_job_add(&learned, job);
    if (err || (*job)->business_cards != learned.business_cards)
        free(learned.business_cards);
    return err;
}

int proc_business_card_give(const struct adi3_proc *p, const char *text)
{
    const struct proc_job *job = proc_job_of(p);
    char **business_cards = job->business_cards;
    int rank = p->peer.rank;

    if (job->business_card != learned_business_card || business_cards[rank])
        return MPI_SUCCESS; /* our own job: the launcher has it */
    if (!(business_cards[rank] = strdup(text)))
        return adi3_no_memory("for the business card of rank %d of %s", rank, job->name);
    char *card = business_card_fetch(p);
    int err = business_card_check(p, card);
    free(card);
    if (err) {
        free(business_cards[rank]);
        business_cards[rank] = NULL;
    }
    return err;
}

const char *proc_job_name(const struct proc_job *job)
{
    return job == &proc_own_job ? adi3_job.name : job->name;
}
