/* scale.c — the table of an operation's algorithms: usage in tools/scale. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "loggp.h"
#include "made_job.h"
#include "trace.h"

enum { MOST_STEPS = 400000000 };

static void print_row(const struct operation *o, const struct coll_algorithm *a, size_t len,
                      int per_node)
{
    const char *mark = a && a == operation_choice(o, len) ? "*" : " ";
    const char *name = a ? a->name : o->name;
    struct recording steps;

    if (!operation_record(&steps, o, a, len, MOST_STEPS)) {
        printf("%s %-18smore than %d steps\n", mark, name, MOST_STEPS);
        return;
    }
    struct loggp_result r = loggp_run(&steps, &loggp_usual, per_node);
    double ranks = steps.ranks;
    printf("%s %-18s%12.1f%12llu%12.1f%12.1f%14llu\n", mark, name, (double) r.time / 1e6,
           (unsigned long long) steps.most_steps, (double) steps.sends / ranks,
           (double) r.far_sends / made_job_nodes(), (unsigned long long) r.far_bytes);
    if (r.waiting >= 0 || r.mismatched > 0)
        printf("  rank %d waits; %d messages of wrong lengths\n", r.waiting, r.mismatched);
    recording_close(&steps);
}

static void print_table(const struct operation *o, size_t len, int per_node)
{
    int ranks = adi3_world.size;

    printf("%s%s, %zu bytes, %d ranks on %d nodes\n", made_job_blocking() ? "" : "i", o->name, len,
           ranks, made_job_nodes());
    printf("  %-18s%12s%12s%12s%12s%14s\n", "algorithm", "time/us", "steps", "messages",
           "of a node", "bytes");
    if (!o->coll)
        print_row(o, NULL, len, per_node);
    for (const struct coll_algorithm *a = o->coll ? o->coll->table : NULL; a && a->name; a++)
        if (operation_fits(o, a, len))
            print_row(o, a, len, per_node);
}

/* Writes what a row's ranks do, for SimGrid. Returns the status of the program. */
static int write_traces(const struct operation *o, size_t len, int per_node, const char *row,
                        const char *folder)
{
    const struct coll_algorithm *a = o->coll ? o->coll->table : NULL;
    struct recording steps;

    while (a && a->name && strcmp(a->name, row) != 0)
        a++;
    if (!a || !a->name || !operation_fits(o, a, len)) {
        (void) fprintf(stderr, "scale: %s has no algorithm %s that can do this\n", o->name, row);
        return 2;
    }
    if (!operation_record(&steps, o, a, len, MOST_STEPS)) {
        (void) fprintf(stderr, "scale: %s has more than %d steps\n", row, MOST_STEPS);
        return 1;
    }
    bool written = trace_write(&steps, &loggp_usual, per_node, folder);
    if (!written)
        perror(folder);
    recording_close(&steps);
    return written ? 0 : 1;
}

/* Returns the number; an argument that is none, or out of range, ends the program. */
static size_t number_arg(const char *what, const char *text, size_t least, size_t most)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);

    if (*text >= '0' && *text <= '9' && !*end && n >= least && n <= most)
        return n;
    (void) fprintf(stderr, "scale: %s %s is not a number from %zu to %zu\n", what, text, least,
                   most);
    exit(2);
}

int main(int argc, char **argv)
{
    enum { RANKS_MOST = 1 << 24 };

    if (argc != 5 && argc != 7) {
        (void) fprintf(stderr, "usage: scale OP LEN RANKS PER_NODE [ALGORITHM FOLDER]\n");
        return 2;
    }
    const struct operation *o = operation_find(argv[1]);
    const bool begun = !o && argv[1][0] == 'i';
    if (begun)
        o = operation_find(argv[1] + 1);
    if (!o) {
        (void) fprintf(stderr, "scale: there is no operation %s; there are", argv[1]);
        for (o = operations; o->name; o++)
            (void) fprintf(stderr, " %s", o->name);
        (void) fprintf(stderr, "\n");
        return 2;
    }
    size_t len = number_arg("LEN", argv[2], 0, (size_t) 1 << 40);
    int ranks = (int) number_arg("RANKS", argv[3], 1, RANKS_MOST);
    int per_node = (int) number_arg("PER_NODE", argv[4], 1, RANKS_MOST);
    made_job_open(ranks, per_node, !begun);
    if (argc == 7)
        return write_traces(o, len, per_node, argv[5], argv[6]);
    print_table(o, len, per_node);
    return 0;
}
