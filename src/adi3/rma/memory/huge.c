/* huge.c — huge pages for the memory of windows and of MPI_Alloc_mem: STARLING_HUGE_PAGES.
 *
 * They are the kernel's transparent ones. Private memory is aligned to them and advised to have
 * them. Shared memory is aligned, too, in each process, and its pages are made huge when they have
 * been reserved. Where that fails, memory has small pages. */
#include <string.h>
#include "adi3/rma/memory/memory_impl.h"

bool huge_setting;

size_t adi3_huge_align(size_t len)
{
    return huge_setting && len >= os_huge_page() ? os_huge_page() : 1;
}

/* One process of each node says it. */
static void warn_once(const char *kind, const char *why)
{
    static bool warned;

    if (!warned && adi3_warn && adi3_node.index <= 0)
        adi3_warn(adi3_error_text(adi3_error(
            MPI_ERR_OTHER, "STARLING_HUGE_PAGES=on: %s memory has small pages: %s", kind, why)));
    warned = true;
}

void adi3_huge_advise(void *at, size_t len)
{
    if (adi3_huge_align(len) == 1)
        return;
    int err = os_huge_advise(at, len & ~(os_huge_page() - 1));
    if (err)
        warn_once("private", strerror(-err));
}

int rma_share_place(struct node_share *s, size_t align)
{
    size_t huge = adi3_huge_align(s->len);
    int err = node_share_align(s, align > huge ? align : huge);

    if (!err && s->fd < 0)
        adi3_huge_advise(s->at, s->len);
    return err;
}

int rma_share_reserve(struct node_share *s, size_t at, size_t len)
{
    int err = node_share_reserve(s, at, len);
    size_t huge = err ? 1 : adi3_huge_align(len);
    size_t first = (at + huge - 1) & ~(huge - 1), end = (at + len) & ~(huge - 1);

    if (huge == 1 || first >= end)
        return err;
    int failed = os_huge_collapse((char *) s->at + first, end - first);
    if (failed)
        warn_once("shared", strerror(-failed));
    return MPI_SUCCESS;
}
