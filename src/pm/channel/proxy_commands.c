/* proxy_commands.c — frames become commands to the node. What they say is checked: numbers of
 * processes and sinks are used as indices. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pm/channel/pm_serialize.h"
#include "pm/channel/pm_proxy_impl.h"

enum { SINKS_AT_ONCE = 16 };

/* The owner says how long both sides may be silent, and the directory that it works in. */
static void proxy_handle_hello(struct pm_proxy *p, const struct pm_frame *f)
{
    char text[4097];

    if (f->number != PM_CHANNEL_VERSION) {
        (void) snprintf(text, sizeof text, "its proxy speaks version %d of the channel, not %d",
                        PM_CHANNEL_VERSION, f->number);
        pm_proxy_fail(text);
        return;
    }
    (void) snprintf(text, sizeof text, "%.*s", (int) f->len, f->bytes);
    if (chdir(text))
        p->no_directory = -errno;
    p->greeted = true;
    pm_channel_beat(p->channel, f->value);
}

/* Whether all programs say where they run, when the directory of mpiexec is not here. */
static bool has_directories(struct pm_proxy *p, const struct pm_plan *plan)
{
    struct pm_refusal why = { .what = PM_NO_DIRECTORY, .err = p->no_directory };

    for (; p->no_directory && why.executable < plan->executables; why.executable++) {
        const struct pm_executable *x = &plan->executable[why.executable];
        bool misses = x->wdir_may_miss && access(x->wdir, X_OK);
        if (x->wdir && *x->wdir == '/' && !misses)
            continue;
        pm_proxy_events.refused(p, plan->job, &why);
        return false;
    }
    return true;
}

static void proxy_handle_prepare(struct pm_proxy *p, const struct pm_frame *f)
{
    struct pm_plan *plan = pm_decode_plan(f->bytes, f->len);
    bool full = !plan && errno == ENOMEM;
    struct pm_proxy_job *j = plan ? pm_proxy_job(p, plan->job) : NULL;

    if (!j || j->plan) {
        pm_proxy_fail(full ? "its proxy is out of memory" : "its proxy cannot read the plan");
        if (plan)
            pm_decoded_plan_free(plan);
        return;
    }
    j->plan = plan;
    if (has_directories(p, plan))
        pm_node_prepare(p->node, plan);
    if (j->accepted)
        return;
    pm_decoded_plan_free(plan); /* which is refused */
    j->plan = NULL;
}

static void use_sink(struct pm_proxy *p, int sink)
{
    if (sink == PM_NO_SINK || p->sink[sink].used)
        return;
    p->sink[sink].used = true;
    p->window = pm_window(++p->used);
}

static bool add_sink(struct pm_proxy *p, int sink)
{
    if (sink < p->sinks)
        return true;
    int sinks = sink + SINKS_AT_ONCE;
    struct pm_proxy_sink *more = realloc(p->sink, (size_t) sinks * sizeof *more);
    if (!more)
        return false;
    memset(more + p->sinks, 0, (size_t) (sinks - p->sinks) * sizeof *more);
    p->sink = more;
    p->sinks = sinks;
    return true;
}

static bool add_process(struct pm_proxy *p, struct pm_proxy_job *j, const struct pm_start *s)
{
    int room = s->process < p->room ? p->room : s->process * 2 + 16;
    struct pm_proxy_process *more = p->process;

    if (room > p->room)
        more = realloc(p->process, (size_t) room * sizeof *more);
    if (!more)
        return false;
    memset(more + p->room, 0, (size_t) (room - p->room) * sizeof *more);
    p->process = more;
    p->room = room;
    struct pm_proxy_process *own = &p->process[s->process];
    for (int i = 0; i < PM_STREAMS; i++) {
        if (!add_sink(p, s->sink[i]))
            return false;
        use_sink(p, s->sink[i]);
        own->sink[i] = s->sink[i];
    }
    own->job = j;
    own->rank = s->rank;
    j->process_of[s->rank] = s->process;
    return true;
}

static bool has_process(const struct pm_proxy *p, int number)
{
    return number >= 0 && number < p->room && p->process[number].job;
}

static void proxy_handle_start(struct pm_proxy *p, const struct pm_frame *f)
{
    struct pm_start s;
    int err = pm_decode_start(f->bytes, f->len, &s);
    struct pm_proxy_job *j = err ? NULL : pm_proxy_job(p, s.job);

    if (!j || !j->accepted || s.executable >= j->plan->executables || s.input == PM_INPUT_INHERITED
        || !pm_proxy_has(j, s.rank) || has_process(p, s.process))
        pm_proxy_fail("its proxy cannot read the start of a rank");
    else if (!add_process(p, j, &s))
        pm_proxy_fail("its proxy is out of memory");
    else
        pm_node_start(p->node, &s);
}

static void proxy_handle_input(struct pm_proxy *p, const struct pm_frame *f)
{
    if (!has_process(p, f->number))
        pm_proxy_fail("its proxy has been asked for a process that there is not");
    else
        pm_node_input(p->node, f->number, f->bytes, f->len);
}

static void proxy_handle_credit(struct pm_proxy *p, const struct pm_frame *f)
{
    if (f->number < 0 || f->number >= p->sinks || f->value < 0)
        pm_proxy_fail("its proxy got credit for a sink that there is not");
    else
        pm_proxy_credit(p, f->number, f->value);
}

static void resize_ptys(struct pm_proxy *p, const struct pm_frame *f)
{
    if (f->number < 0 || f->number > USHRT_MAX || f->value < 0 || f->value > USHRT_MAX)
        pm_proxy_fail("its proxy got a window size that there is not");
    else
        pm_node_resize(p->node, f->number, f->value);
}

static void for_node(struct pm_proxy *p, const struct pm_frame *f)
{
    switch ((int) f->kind) {
    case PM_FRAME_BEAT:
        if (f->number)
            pm_proxy_send(&(struct pm_frame) { .kind = PM_FRAME_BEAT });
        break;
    case PM_FRAME_PREPARE:
        proxy_handle_prepare(p, f);
        break;
    case PM_FRAME_START:
        proxy_handle_start(p, f);
        break;
    case PM_FRAME_RESIZE:
        resize_ptys(p, f);
        break;
    case PM_FRAME_CREDIT:
        proxy_handle_credit(p, f);
        break;
    case PM_FRAME_JOB:
        pm_proxy_add_job(p, f);
        break;
    case PM_FRAME_NOTE:
        pm_proxy_note(p, f);
        break;
    case PM_FRAME_INPUT:
        proxy_handle_input(p, f);
        break;
    case PM_FRAME_SIGNAL:
        pm_node_signal(p->node, f->value, f->number);
        break;
    case PM_FRAME_FORGET:
        if (pm_proxy_job(p, f->number))
            pm_node_forget_job(p->node, f->number);
        else
            pm_proxy_fail("its proxy is to forget a job that there is not");
        break;
    case PM_FRAME_FIND_EXITING:
        pm_node_find_exiting(p->node);
        break;
    case PM_FRAME_FINISH:
        pm_node_finish(p->node);
        break;
    case PM_FRAME_END:
        pm_node_end(p->node, f->number, f->value > 0 ? f->value : 0);
        break;
    case PM_FRAME_KILL:
        pm_node_kill(p->node);
        break;
    case PM_FRAME_DROP_OUTPUT:
        pm_node_drop_output(p->node);
    }
}

void pm_proxy_command(void *owner, const struct pm_frame *f)
{
    struct pm_proxy *p = owner;

    if (p->alone)
        return;
    if (f->kind == PM_FRAME_HELLO)
        proxy_handle_hello(p, f);
    else if (!p->greeted)
        pm_proxy_fail("its proxy has got a command before it knows of whom");
    else
        for_node(p, f);
}
