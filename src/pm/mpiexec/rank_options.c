/* rank_options.c — options that name ranks: which of them has standard input. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "option.h"
#include "pmi_line.h"

int pm_opt_stdin(struct pm_parser *p, const char *name, char **args)
{
    int rank = 0;

    if (!strcmp(args[0], "all"))
        rank = PM_INPUT_TO_ALL;
    else if (!strcmp(args[0], "none"))
        rank = PM_INPUT_TO_NONE;
    else if (pmi_parse_int(args[0], strlen(args[0]), &rank) || rank < 0)
        return pm_refuse(p, "'%s %s': not a rank, all or none", name, args[0]);
    p->spec->input_rank = rank;
    p->spec->input_option = name;
    return 0;
}

int pm_check_ranks(const struct pm_spec *spec, char *why, size_t len)
{
    if (spec->input_rank < spec->size)
        return 0;
    (void) snprintf(why, len, "'%s %d': the job has %d rank%s", spec->input_option,
                    spec->input_rank, spec->size, spec->size == 1 ? "" : "s");
    return -EINVAL;
}
