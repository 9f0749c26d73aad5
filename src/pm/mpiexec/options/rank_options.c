/* rank_options.c — options that name ranks: which have standard input, and whose output is
 * shown. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "pm/mpiexec/options/option.h"
#include "pm/pmi/pmi_line.h"

int pm_opt_stdin(struct pm_parser *p, const char *name, char **args)
{
    int rank = 0;

    if (!strcmp(args[0], "all"))
        rank = PM_INPUT_TO_ALL;
    else if (!strcmp(args[0], "none"))
        rank = PM_INPUT_TO_NONE;
    else if (pmi_parse_int(args[0], strlen(args[0]), &rank) || rank < 0)
        return pm_usage_error(p, "'%s %s': not a rank, all or none", name, args[0]);
    p->spec->input_rank = rank;
    p->spec->input_option = name;
    return 0;
}

/* Reads "4" or "4-7" up to a comma or the end, and moves *at behind that. False: it is neither. */
static bool read_range(const char **at, int *first, int *last)
{
    size_t len = strcspn(*at, ","), one = strcspn(*at, "-,");
    const char *second = one < len ? *at + one + 1 : *at;

    if (pmi_parse_int(*at, one, first)
        || pmi_parse_int(second, len - (size_t) (second - *at), last))
        return false;
    *at += len;
    if (**at == ',')
        ++*at;
    return *first >= 0 && *last >= *first;
}

int pm_opt_output_from(struct pm_parser *p, const char *name, char **args)
{
    const char *at = args[0];
    int first, last;

    do {
        if (!read_range(&at, &first, &last))
            return pm_usage_error(p, "'%s %s': not a list of ranks, as 0,4-7", name, args[0]);
    } while (*at);
    p->spec->output_from = args[0];
    p->spec->output_from_option = name;
    return 0;
}

bool pm_shows_rank(const struct pm_spec *spec, int rank)
{
    const char *at = spec->output_from ? spec->output_from : "";
    int first, last;

    while (*at && read_range(&at, &first, &last))
        if (rank >= first && rank <= last)
            return true;
    return !spec->output_from;
}

static int missing_rank_refuse(const struct pm_spec *spec, const char *option, int rank, char *why,
                               size_t len)
{
    (void) snprintf(why, len, "'%s': there is no rank %d, the job has %d rank%s", option, rank,
                    spec->size, spec->size == 1 ? "" : "s");
    return -EINVAL;
}

int pm_check_ranks(const struct pm_spec *spec, char *why, size_t len)
{
    const char *at = spec->output_from ? spec->output_from : "";
    int first, last;

    if (spec->input_rank >= spec->size)
        return missing_rank_refuse(spec, spec->input_option, spec->input_rank, why, len);
    while (*at && read_range(&at, &first, &last))
        if (last >= spec->size)
            return missing_rank_refuse(spec, spec->output_from_option, last, why, len);
    return 0;
}
