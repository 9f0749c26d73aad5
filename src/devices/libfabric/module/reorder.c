/* reorder.c — messages that came before an earlier one wait for it here. */
#include <stdlib.h>
#include <string.h>
#include "devices/libfabric/module/ofi_impl.h"

int ofi_early_add(struct ofi_peer *p, const struct ofi_head *head, const char *bytes, size_t len)
{
    struct ofi_early **at = &p->early, *m;

    while (*at && (int32_t) ((*at)->sequence - head->sequence) < 0)
        at = &(*at)->next;
    if (p->early_count == OFI_WINDOW || (*at && (*at)->sequence == head->sequence))
        return -EPROTO;
    if (!(m = malloc(sizeof *m + len)))
        return -ENOMEM;
    *m = (struct ofi_early) { .next = *at,
                              .sequence = head->sequence,
                              .kind = (enum ofi_kind)(head->from % (1 << OFI_KIND_BITS)),
                              .len = len };
    memcpy(m->bytes, bytes, len);
    *at = m;
    p->early_count++;
    return 0;
}

struct ofi_early *ofi_early_next(struct ofi_peer *p)
{
    struct ofi_early *m = p->early;

    if (!m || m->sequence != p->received)
        return NULL;
    p->early = m->next;
    p->early_count--;
    return m;
}

void ofi_drop_incoming(struct ofi_peer *p, int err)
{
    while (p->early) {
        struct ofi_early *m = p->early;
        p->early = m->next;
        free(m);
    }
    p->early_count = 0;
    if (!p->partial)
        return;
    p->partial = false;
    ofi_dev.env->up->recv_end(&p->target, err);
}
