/* choices.c — no choice between nodes takes more than 1.2 times as long as the best row of its
 * table, in the model, at any point of a grid of lengths, ranks and ranks per node. */
#include <stdio.h>
#include "loggp.h"
#include "made_job.h"
#include "../test_size.h"

enum { STEPS_LANDING = 30000, STEPS_FULL = 400000 }; /* rows with more are not compared */
static const double MOST = 1.2;

/* Ranks, and ranks per node; those in the first row are for each landing. */
static const int jobs[][2] = {
    { 2, 1 },    { 3, 1 },    { 5, 1 },    { 8, 1 },     { 12, 1 }, { 23, 1 },  { 64, 1 },
    { 100, 1 },  { 8, 4 },    { 12, 2 },   { 16, 4 },    { 24, 8 }, { 90, 9 },  { 128, 16 },
    { 64, 32 },  { 7, 1 },    { 16, 1 },   { 33, 1 },    { 40, 1 }, { 60, 1 },  { 130, 1 },
    { 256, 1 },  { 300, 1 },  { 1000, 1 }, { 1024, 1 },  { 48, 6 }, { 64, 8 },  { 100, 7 },
    { 260, 13 }, { 512, 8 },  { 1000, 8 }, { 1024, 32 }, { 36, 4 }, { 128, 2 }, { 288, 6 },
    { 384, 24 }, { 256, 64 },
};
enum { JOBS_LANDING = 15, JOBS = sizeof jobs / sizeof *jobs };
static const size_t lens[] = { 8, 2048, 16384, 131072, 1 << 20, 256, 8 << 20 };
enum { LENS_LANDING = 5, LENS = sizeof lens / sizeof *lens };

/* Microseconds; negative: not known. */
static double row_time(const struct operation *o, const struct coll_algorithm *a, size_t len,
                       int per_node)
{
    struct recording steps;

    if (!operation_fits(o, a, len)
        || !operation_record(&steps, o, a, len, (uint64_t) test_size(STEPS_LANDING, STEPS_FULL)))
        return -1;
    double time = (double) loggp_run(&steps, &loggp_usual, per_node).time / 1e6;
    recording_close(&steps);
    return time;
}

/* Returns whether the choice is good enough, or not known. */
static bool check_point(const struct operation *o, size_t len, const int *job, bool blocking)
{
    const int ranks = job[0], per_node = job[1];

    made_job_open(ranks, per_node, blocking);
    const struct coll_algorithm *chosen = operation_choice(o, len), *best = NULL;
    double least = 0, time = row_time(o, chosen, len, per_node);

    for (const struct coll_algorithm *a = o->coll->table; time >= 0 && a->name; a++) {
        double other = a == chosen ? time : row_time(o, a, len, per_node);
        if (other >= 0 && (!best || other < least)) {
            best = a;
            least = other;
        }
    }
    if (!best || time <= MOST * least)
        return true;
    printf("%s%s, %zu bytes, %d ranks, %d on a node: %s takes %.1f us, %s %.1f us\n",
           blocking ? "" : "i", o->name, len, ranks, per_node, chosen->name, time, best->name,
           least);
    return false;
}

int main(void)
{
    bool good = true;

    for (const struct operation *o = operations; o->name; o++)
        for (int j = 0; o->coll && j < test_size(JOBS_LANDING, JOBS); j++)
            for (int l = 0; l < test_size(LENS_LANDING, LENS); l++)
                for (int begun = 0; begun <= (jobs[j][1] > 1); begun++) /* else both are the same */
                    good = check_point(o, lens[l], jobs[j], !begun) && good;
    return good ? 0 : 1;
}
