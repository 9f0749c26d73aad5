/* check.c — the setting CHECK, and mistakes of programs that are no wrong arguments: ready sends
 * without a receive, and buffers in memory that is not mapped. */
#include <string.h>
#include "adi3/p2p/p2p_impl.h"

const char *check_setting = "basic";
enum adi3_check adi3_check = ADI3_CHECK_BASIC;

int check_init(void)
{
    static const char *const words[] = { "off", "basic", "strict" };

    for (int i = 0; i < 3; i++) {
        if (strcmp(check_setting, words[i]))
            continue;
        adi3_check = (enum adi3_check) i;
        return MPI_SUCCESS;
    }
    return adi3_error(MPI_ERR_OTHER, "STARLING_CHECK=%s: it is off, basic or strict",
                      check_setting);
}

/* ---- ready sends ----------------------------------------------------------------------------- */

static int ready_send_error(const struct dev_pkt *pkt)
{
    return adi3_error(MPI_ERR_OTHER,
                      "rank %d sent a message with tag %d ready, in the communicator with context "
                      "%u, and no receive was posted",
                      pkt->rank, pkt->tag, (unsigned) pkt->ctx);
}

/* Warns once in a process: a program that makes this mistake makes it often. */
void check_not_ready(const struct dev_pkt *pkt)
{
    static bool warned;

    if (warned || adi3_check == ADI3_CHECK_OFF || !adi3_warn)
        return;
    warned = true;
    adi3_warn(adi3_error_text(ready_send_error(pkt)));
}

void check_was_ready(struct adi3_request *r, const struct dev_pkt *pkt)
{
    if (adi3_check == ADI3_CHECK_STRICT && !r->error)
        r->error = ready_send_error(pkt);
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* The address of a byte of the data that is not mapped; NULL when none is found. All pages are
 * looked at if no hole in the data can be as long as a page. Else those of the first and the last
 * byte of each element are, since it is not known where in a type its holes are. */
static const void *unmapped_byte_find(const struct adi3_data *d)
{
    const struct adi3_type *t = d->type;
    const size_t page = os_page();
    size_t true_extent = (size_t) t->true_extent;
    MPI_Aint stride = t->extent < 0 ? -t->extent : t->extent;
    MPI_Aint span = (MPI_Aint) (d->count - 1) * stride; /* from the first element to the last */
    char *first = (char *) d->buf + t->true_lb, *lowest = t->extent < 0 ? first - span : first;
    bool holes = true_extent > t->size && true_extent - t->size >= page;
    bool gaps = d->count > 1 && stride > t->true_extent && (size_t) stride - true_extent >= page;

    if (!holes && !gaps) {
        uintptr_t begin = (uintptr_t) lowest, end = begin + (size_t) span + true_extent;
        uintptr_t next = (begin / page + 1) * page; /* the page after that of the first byte */
        const void *bad = os_unmapped(lowest, 0, 1);
        return bad || next >= end
                   ? bad
                   : os_unmapped((void *) next, (ptrdiff_t) page, (end - 1 - next) / page + 1);
    }
    const void *bad = os_unmapped(first, t->extent, d->count);
    if (!bad)
        bad = os_unmapped(first + true_extent - 1, t->extent, d->count);
    return bad;
}

int adi3_check_mapped(const struct adi3_data *d)
{
    if (!d->count || !d->type->size || d->type->true_extent <= 0)
        return MPI_SUCCESS;
    const void *bad = unmapped_byte_find(d);
    if (!bad)
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_BUFFER, "the buffer at %p is not in memory: nothing is mapped at %p",
                      d->buf, bad);
}
