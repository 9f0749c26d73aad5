/* pmi2_spawn.c — the command spawn of PMI-2: its fields get the names that PMI-1 has for them.
 * Those of a program follow its subcmd. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/server/pm_pmi2.h"

static const struct {
    const char *name, *of_line;
    bool numbered;
    int first; /* the number in lines of what is 0 here */
} names[] = {
    { "preputcount", "preput_num", false, 0 },
    { "ppkey", "preput_key_", true, 0 },
    { "ppval", "preput_val_", true, 0 },
    { "subcmd", "execname", false, 0 },
    { "maxprocs", "nprocs", false, 0 },
    { "argc", "argcnt", false, 0 },
    { "argv", "arg", true, 1 },
    { "infokeycount", "info_num", false, 0 },
    { "infokey", "info_key_", true, 0 },
    { "infoval", "info_val_", true, 0 },
};

enum { NAME_MAX_LEN = 32 };

/* The name of a field in lines; false: it has none. */
static bool name_of_line(const struct pm_field *f, char name[NAME_MAX_LEN])
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t len = strlen(names[i].name);
        int number = 0;
        if (f->name_len < len || memcmp(f->name, names[i].name, len) != 0
            || (f->name_len > len) != names[i].numbered)
            continue;
        if (!names[i].numbered) {
            (void) snprintf(name, NAME_MAX_LEN, "%s", names[i].of_line);
            return true;
        }
        if (pmi_parse_int(f->name + len, f->name_len - len, &number) || number < 0)
            continue;
        (void) snprintf(name, NAME_MAX_LEN, "%s%d", names[i].of_line, number + names[i].first);
        return true;
    }
    return false;
}

static void add_number(struct pm_spawn_call *s, const char *name, int number)
{
    char digits[12];

    pm_spawn_add(s, name, digits, (size_t) snprintf(digits, sizeof digits, "%d", number));
}

static void add_field(struct pm_spawn_call *s, const char *name, const struct pm_field *f)
{
    char *value = malloc(f->value_len + 1);

    if (!value) {
        s->why = "out of memory";
        return;
    }
    if (!pm_field_value(f, value, f->value_len + 1))
        pm_spawn_add(s, name, value, strlen(value));
    free(value);
}

static void end_block(struct pm_spawn_call *s) { pm_spawn_add(s, "", "endcmd", strlen("endcmd")); }

/* Each program is a block, and what is before the first one belongs to that. */
static void add_fields(struct pm_spawn_call *s, const char *body, int programs)
{
    char name[NAME_MAX_LEN];
    struct pm_field f;

    while (pm_next_field(&body, &f) > 0) {
        if (!name_of_line(&f, name))
            continue;
        if (!strcmp(name, "execname")) {
            if (s->blocks++)
                end_block(s);
            add_number(s, "totspawns", programs);
            add_number(s, "spawnssofar", s->blocks);
        }
        add_field(s, name, &f);
    }
    end_block(s);
}

const char *pm_spawn_pmi2(struct pm_request *r)
{
    struct pm_spawn_call *s = r->job->client[r->rank].spawn;
    char programs[12];
    int n;

    if (!s) {
        const char *why = pm_read(r, "ncmds", programs, sizeof programs, NULL);
        if (why)
            return why;
        if (pmi_parse_int(programs, sizeof programs, &n))
            return "ncmds_is_not_a_number";
        if (!(s = pm_spawn_begin(r->job, r->rank)))
            return "out_of_memory";
        add_fields(s, r->body, n);
    }
    pm_spawn_body(r);
    return NULL;
}
