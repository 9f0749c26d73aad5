/* hooks.c — the rows of functions that rooms have registered, and calls of all of them. */
#include <string.h>
#include "adi3/base/base.h"

const struct base_hooks *base_hooks[BASE_HOOKS_MAX + 1];

int base_hooks_add(const struct base_hooks *h)
{
    int n = 0;

    assert(adi3_lock_held() && h->name);
    for (; base_hooks[n]; n++) {
        if (base_hooks[n] == h)
            return MPI_SUCCESS;
        if (!strcmp(base_hooks[n]->name, h->name))
            return adi3_error(MPI_ERR_INTERN, "two rows of hooks have the name '%s'", h->name);
    }
    if (n == BASE_HOOKS_MAX)
        return adi3_error(MPI_ERR_INTERN, "no place for the hooks of '%s': %d rows at most",
                          h->name, BASE_HOOKS_MAX);
    base_hooks[n] = h;
    return MPI_SUCCESS;
}

void base_job_added(int first, int count)
{
    assert(adi3_lock_held());
    for (int i = 0; base_hooks[i]; i++)
        if (base_hooks[i]->job_added)
            base_hooks[i]->job_added(first, count);
}

void base_peer_added(struct adi3_proc *p)
{
    assert(adi3_lock_held());
    for (int i = 0; base_hooks[i]; i++)
        if (base_hooks[i]->peer_added)
            base_hooks[i]->peer_added(p);
}

void base_peer_lost(struct adi3_proc *p)
{
    assert(adi3_lock_held());
    for (int i = 0; base_hooks[i]; i++)
        if (base_hooks[i]->peer_lost)
            base_hooks[i]->peer_lost(p);
}

int base_comm_made(struct adi3_comm *c)
{
    int err = MPI_SUCCESS;

    assert(adi3_lock_held());
    for (int i = 0; base_hooks[i] && !err; i++)
        if (base_hooks[i]->comm_made)
            err = base_hooks[i]->comm_made(c);
    return err;
}

void base_comm_ends(struct adi3_comm *c)
{
    assert(adi3_lock_held());
    for (int i = 0; base_hooks[i]; i++)
        if (base_hooks[i]->comm_ends)
            base_hooks[i]->comm_ends(c);
}

int base_segment_lost(void)
{
    int err = MPI_SUCCESS;

    assert(adi3_lock_held());
    for (int i = 0; base_hooks[i]; i++) {
        int rc = base_hooks[i]->segment_lost ? base_hooks[i]->segment_lost() : MPI_SUCCESS;
        if (!err)
            err = rc;
    }
    return err;
}

void base_devices_end(void)
{
    assert(adi3_lock_held());
    for (int i = 0; base_hooks[i]; i++)
        if (base_hooks[i]->devices_end)
            base_hooks[i]->devices_end();
}

bool base_quiet(void)
{
    bool quiet = true;

    assert(adi3_lock_held());
    for (int i = 0; base_hooks[i] && quiet; i++)
        quiet = !base_hooks[i]->quiet || base_hooks[i]->quiet();
    return quiet;
}

bool base_invites(void)
{
    bool invites = false;

    assert(adi3_lock_held());
    for (int i = 0; base_hooks[i] && !invites; i++)
        invites = base_hooks[i]->invites && base_hooks[i]->invites();
    return invites;
}

void base_finalize(void)
{
    int n = 0;

    assert(adi3_lock_held());
    while (base_hooks[n])
        n++;
    while (n-- > 0)
        if (base_hooks[n]->finalize)
            base_hooks[n]->finalize();
}
