/* memory.c — memory that peers may use: exposed for one message, registered for long, or allocated
 * by this device.
 *
 * All of an allocated region is registered when a part of it is first used, until it is freed. */
#include <search.h>
#include <stdlib.h>
#include "devices/libfabric/module/ofi_impl.h"

struct region {
    uintptr_t at;
    size_t len;
    struct fid_mr *mr; /* NULL: not registered yet */
};

static void *regions;    /* for tsearch(), by address; regions outlive close() */
static char of_a_region; /* its address is the handle of memory in a region */

/* A key that cannot be guessed, for providers that let the caller choose it. */
static uint64_t fresh_key(void)
{
    static unsigned char seed[16];
    static uint64_t count;
    size_t bytes = ofi_dev.info->domain_attr->mr_key_size;

    if (!count && os_random(seed, sizeof seed))
        return ++count;
    count++;
    uint64_t key = ofi_hash(seed, &count, sizeof count);
    return bytes < sizeof key ? key & ((UINT64_C(1) << 8 * bytes) - 1) : key;
}

static int register_for_peers(const void *at, size_t len, uint64_t access, struct fid_mr **mr)
{
    int rc = -FI_ENOKEY;

    for (int tries = 0; tries < 4 && rc == -FI_ENOKEY; tries++) /* retried when the key is in use */
        rc = ofi_register(at, len, access, fresh_key(), mr);
    return rc;
}

static uint64_t access_of_peers(void)
{
    bool writes = ofi_dev.can_put || ofi_dev.can_atomic;

    return FI_REMOTE_READ | (writes ? FI_REMOTE_WRITE : 0);
}

/* ---- allocated regions ----------------------------------------------------------------------- */

/* Regions that overlap are equal: so one byte finds the region it is in. */
static int region_compare(const void *a, const void *b)
{
    const struct region *x = a, *y = b;

    return x->at + x->len <= y->at ? -1 : y->at + y->len <= x->at;
}

static struct region *region_at(const void *at)
{
    const struct region key = { .at = (uintptr_t) at, .len = 1 };
    struct region **found = tfind(&key, &regions, region_compare);

    return found ? *found : NULL;
}

void *ofi_alloc_mem(size_t align, size_t len)
{
    struct region *a = malloc(sizeof *a);
    void *at = NULL;

    if (a && !posix_memalign(&at, align, len)) {
        *a = (struct region) { .at = (uintptr_t) at, .len = len };
        if (tsearch(a, &regions, region_compare))
            return at;
        free(at);
    }
    free(a);
    return NULL;
}

static void region_close(struct region *a)
{
    if (a->mr)
        (void) fi_close(&a->mr->fid);
    a->mr = NULL;
}

bool ofi_free_mem(void *at)
{
    struct region *a = region_at(at);

    if (!a || a->at != (uintptr_t) at)
        return false;
    region_close(a);
    (void) tdelete(a, &regions, region_compare);
    free(a);
    free(at);
    return true;
}

struct fid_mr *ofi_region_mr(const void *at, size_t len)
{
    uint64_t access = FI_READ | FI_WRITE | access_of_peers();
    struct region *a = regions ? region_at(at) : NULL;

    if (!a || len > a->len - ((uintptr_t) at - a->at))
        return NULL;
    if (!a->mr && register_for_peers((const void *) a->at, a->len, access, &a->mr))
        a->mr = NULL;
    return a->mr;
}

static void region_visit_close(const void *node, VISIT visit, int depth)
{
    (void) depth;
    if (visit == postorder || visit == leaf)
        region_close(*(struct region *const *) node);
}

static void region_visit_forget(const void *node, VISIT visit, int depth)
{
    (void) depth;
    if (visit == postorder || visit == leaf)
        (*(struct region *const *) node)->mr = NULL;
}

void ofi_regions_close(void) { twalk(regions, region_visit_close); }
void ofi_regions_forget(void) { twalk(regions, region_visit_forget); }

/* ---- memory that peers may use ---- */

static int memory_expose(const struct iovec *mem, uint64_t access, uint64_t *addr, uint64_t *key,
                         void **handle)
{
    struct fid_mr *mr = ofi_region_mr(mem->iov_base, mem->iov_len);
    uintptr_t at = (uintptr_t) mem->iov_base;
    size_t offset = mr ? at - region_at(mem->iov_base)->at : 0;

    *handle = &of_a_region;
    if (!mr) {
        int rc = register_for_peers(mem->iov_base, mem->iov_len, access, &mr);
        if (rc)
            return ofi_errno(rc);
        *handle = mr;
    }
    *addr = ofi_needs(FI_MR_VIRT_ADDR) ? at : OFI_OFFSET + offset;
    *key = fi_mr_key(mr);
    return 0;
}

int ofi_expose(struct dev_peer *to, const struct iovec *mem, uint64_t *addr, uint64_t *key,
               void **handle)
{
    (void) to;
    return memory_expose(mem, FI_REMOTE_READ, addr, key, handle);
}

int ofi_register_memory(const struct iovec *mem, uint64_t *addr, uint64_t *key, void **handle)
{
    return memory_expose(mem, access_of_peers(), addr, key, handle);
}

void ofi_unexpose(void *handle)
{
    struct fid_mr *mr = handle;

    if (handle != &of_a_region)
        (void) fi_close(&mr->fid);
}
