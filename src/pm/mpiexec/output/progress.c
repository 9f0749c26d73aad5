/* progress.c — a line that says which hosts are waited for, while many start. It is for a terminal
 * alone, and is erased before anything else is written there. */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include "pm/node/loop.h"
#include "pm/mpiexec/output/output_impl.h"

enum { FIRST_MS = 1000, NEXT_MS = 500, WIDTH = 80, WIDTH_MAX = 512 };

static char shown[WIDTH_MAX]; /* the line that is on the terminal */
static struct pm_timer timer; /* set while hosts are waited for */
static struct pm_run *run;

/* The cursor is at the start of the line again. Spaces erase on any terminal. */
void pm_progress_erase(const struct pm_run *r)
{
    char text[WIDTH_MAX + 2];
    int n = (int) strlen(shown);

    if (!n)
        return;
    *shown = '\0';
    n = snprintf(text, sizeof text, "\r%*s\r", n, "");
    pm_sink_log(r->output->err, text, (size_t) n);
}

static size_t terminal_width(void)
{
    struct winsize w;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) || !w.ws_col)
        return WIDTH;
    return w.ws_col < WIDTH_MAX ? w.ws_col : WIDTH_MAX - 1;
}

static bool is_waited_for(const struct pm_part *p) { return !p->ready && !p->refusal; }

/* As many names as fit in len letters. */
static void progress_describe(const struct pm_job *j, char *text, size_t len)
{
    static const char more[] = ", ...";
    int ready = 0;

    for (int i = 0; i < j->parts; i++)
        ready += !is_waited_for(&j->part[i]);
    size_t n = (size_t) snprintf(text, len, "mpiexec: %d of %d hosts are ready, waiting for ",
                                 ready, j->parts);
    bool first = true;
    for (int i = 0; i < j->parts && n < len; i++) {
        const char *name = j->part[i].host->name;
        if (!is_waited_for(&j->part[i]))
            continue;
        if (n + strlen(name) + 2 + sizeof more > len) {
            (void) snprintf(text + n, len - n, "%s", more + 2 * first);
            return;
        }
        n += (size_t) snprintf(text + n, len - n, "%s%s", first ? "" : ", ", name);
        first = false;
    }
}

static void progress_show(struct pm_timer *t)
{
    char text[WIDTH_MAX];

    progress_describe(run->job, text,
                      terminal_width()); /* the last column stays empty: lines must not wrap */
    if (strcmp(text, shown) != 0) {
        pm_progress_erase(run);
        pm_sink_log(run->output->err, text, strlen(text));
        (void) snprintf(shown, sizeof shown, "%s", text);
    }
    pm_timer_set(t, NEXT_MS, progress_show);
}

void pm_progress_begin(struct pm_run *r)
{
    run = r;
    if (r->hosts > 1 && pm_sink_is_tty(r->output->err))
        pm_timer_set(&timer, FIRST_MS, progress_show);
}

void pm_progress_end(struct pm_run *r)
{
    pm_timer_clear(&timer);
    pm_progress_erase(r);
}
