/* topology.c — the text of starling_topo, and the values of -bind-to and -map-by. What is read can
 * be used: each rank gets allowed CPUs, and enough of them. */
#include "fuzz.h"
#include "pm/bind/pm_bind.h"

enum { RANKS = 5 };

static void check_places(const struct pm_bind *b, const struct pm_topology *t, int least)
{
    const int need[RANKS] = { 1, least, 1, least, 1 };
    struct pm_cpus set[RANKS];
    char drawing[3 * PM_CPUS], cpus[PM_CPUS_TEXT];
    int allowed = pm_cpus_count(&t->allowed);

    if (pm_bind_places(b, t, need, RANKS, set))
        return;
    for (int i = 0; i < RANKS; i++) {
        pm_cpus_text(&set[i], cpus, sizeof cpus);
        pm_bind_draw(t, &set[i], drawing, sizeof drawing);
        MUST(*cpus && *drawing);
        if (b->how == PM_BIND_USER)
            continue;
        MUST(pm_cpus_contain(&t->allowed, &set[i]));
        MUST(pm_cpus_count(&set[i]) >= (need[i] < allowed ? need[i] : allowed));
    }
}

static void check_options(const struct pm_topology *t, char *to, int least)
{
    struct pm_bind b = { .how = PM_BIND_DEFAULT };
    char why[300], *by = strchr(to, '\n');

    if (by)
        *by++ = '\0';
    if (pm_bind_to(&b, to, why, sizeof why)) {
        MUST(*why && strlen(why) < sizeof why);
        return;
    }
    if (by && pm_bind_map(&b, by, why, sizeof why)) {
        MUST(*why && strlen(why) < sizeof why);
        return;
    }
    if (!pm_bind_finish(&b, why, sizeof why))
        check_places(&b, t, least);
}

/* The first line is for -bind-to, the second for -map-by, the rest is the machine. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct feed f = { data, len };
    char why[300] = "", small[4];
    int least = feed_byte(&f) % 16;
    char *options = feed_text(&f), *text = strstr(options, "\nstarling_topo");

    struct pm_topology *none = pm_topology_parse(options, strlen(options), small, sizeof small);
    pm_topology_free(none);
    if (text) {
        *text++ = '\0';
        struct pm_topology *t = pm_topology_parse(text, strlen(text), why, sizeof why);
        MUST(t || (*why && strlen(why) < sizeof why));
        if (t)
            check_options(t, options, least);
        pm_topology_free(t);
    }
    free(options);
    return 0;
}
