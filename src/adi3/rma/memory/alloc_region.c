/* alloc_region.c — regions: memory of MPI_Alloc_mem that the processes of a node can share, and
 * such memory of others that is mapped here.
 *
 * A region is mapped when a window of MPI_Win_create with memory in it is made, once for all such
 * windows. It ends with its last user: the program, until MPI_Free_mem, and each window, so memory
 * that is freed before its window is valid until then. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "adi3/rma/memory/memory_impl.h"

struct rma_alloc_region {
    struct rma_alloc_region *next;
    struct node_share share; /* fd -1: another process has made it */
    uint64_t file;           /* its number: os_file_number() */
    unsigned users;
};

static struct rma_alloc_region *regions;
const char *alloc_region_setting = "private";
bool adi3_alloc_mem_shared;

int alloc_region_init(void)
{
    adi3_alloc_mem_shared = !strcmp(alloc_region_setting, "shared");
    if (adi3_alloc_mem_shared || !strcmp(alloc_region_setting, "private"))
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_OTHER, "STARLING_ALLOC_MEM=%s: it is private or shared",
                      alloc_region_setting);
}

static void alloc_mem_region_add(struct rma_alloc_region *a)
{
    a->users = 1;
    a->next = regions;
    regions = a;
}

void rma_alloc_region_release(struct rma_alloc_region *a)
{
    struct rma_alloc_region **at = &regions;
    bool exposed = a->share.number;

    assert(adi3_lock_held() && a->users);
    if (--a->users)
        return;
    while (*at != a)
        at = &(*at)->next;
    *at = a->next;
    node_share_drop(&a->share);
    if (exposed)
        progress_share_socket_closed();
    free(a);
}

/* ---- of this process ------------------------------------------------------------------------- */

int adi3_alloc_region_make(size_t size, size_t align, void **base)
{
    size_t page = ADI3_WIN_ALIGN, len = (size + page - 1) & ~(page - 1);
    struct rma_alloc_region *a = calloc(1, sizeof *a);

    assert(adi3_lock_held() && size && size < PTRDIFF_MAX);
    if (!a)
        return adi3_no_memory("to register %zu bytes", size);
    int err = node_share_create(len, len, 0, &a->share);
    if (!err)
        err = rma_share_place(&a->share, align);
    if (!err)
        err = rma_share_reserve(&a->share, 0, len);
    if (err) {
        node_share_drop(&a->share);
        free(a);
        return err;
    }
    a->file = os_file_number(a->share.fd);
    alloc_mem_region_add(a);
    *base = a->share.at;
    return MPI_SUCCESS;
}

void adi3_alloc_region_free(const void *base)
{
    struct rma_alloc_region *a = regions;

    while (a->share.at != base)
        a = a->next;
    rma_alloc_region_release(a);
}

struct rma_alloc_region *rma_alloc_region_find(const void *base, size_t size,
                                               struct adi3_win_region *region)
{
    for (struct rma_alloc_region *a = regions; a; a = a->next) {
        size_t at = (uintptr_t) base - (uintptr_t) a->share.at;
        if (a->share.fd < 0 || at >= a->share.len || size > a->share.len - at)
            continue;
        *region = (struct adi3_win_region) { .share = { .len = a->share.len,
                                                        .file = a->file,
                                                        .pid = (int32_t) getpid(),
                                                        .fd = a->share.fd },
                                             .at = at };
        return a;
    }
    return NULL;
}

/* A number at the share socket stays until the region ends: other windows may be in the making. */
int rma_alloc_region_open_socket(struct rma_alloc_region *a, struct adi3_win_region *region)
{
    int err = MPI_SUCCESS;

    progress_want(&progress_share_socket);
    if (!a->share.number)
        err = node_share_expose(&a->share);
    if (err)
        progress_share_socket_closed();
    region->share.share_socket = share_socket_name();
    region->share.number = a->share.number;
    return err;
}

/* ---- of any process -------------------------------------------------------------------------- */

int rma_share_open(const struct adi3_win_share *s, int rank, struct node_share *mapped)
{
    int fd = os_open_of(s->pid, s->fd, s->file);

    if (fd < 0 && !s->number)
        return ADI3_WIN_HIDDEN;
    if (fd < 0)
        fd = progress_fetch_shared(s->share_socket, s->number);
    if (fd < 0)
        return adi3_error(MPI_ERR_OTHER, "rank %d does not pass on the memory of the window: %s",
                          rank, strerror(-fd));
    return node_share_map(fd, s->len, mapped);
}

int rma_alloc_region_map(const struct adi3_win_region *r, int rank, struct rma_view *view)
{
    struct rma_alloc_region *a = regions;

    while (a && (a->file != r->share.file || a->share.len != r->share.len))
        a = a->next;
    if (a) {
        a->users++;
    } else {
        if (!(a = calloc(1, sizeof *a)))
            return adi3_no_memory("for a window");
        a->share.fd = -1;
        int err = rma_share_open(&r->share, rank, &a->share);
        if (!err)
            err = rma_share_place(&a->share, 1);
        if (err) {
            node_share_drop(&a->share);
            free(a);
            return err;
        }
        (void) close(a->share.fd); /* a mapping needs none, and a process may have few */
        a->share.fd = -1;
        a->file = r->share.file;
        alloc_mem_region_add(a);
    }
    *view = (struct rma_view) { a, (char *) a->share.at + r->at };
    return MPI_SUCCESS;
}
