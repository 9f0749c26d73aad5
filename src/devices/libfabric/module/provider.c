/* provider.c — the choice of the provider and domain of libfabric. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include "devices/libfabric/module/ofi_impl.h"

/* Providers that are used without being asked for, the best first. The others are slower than
 * sockets, lose messages, or reach only this node. */
static const char *const best[] = { "cxi", "psm3", "efa",         "verbs;ofi_rxm",
                                    "opx", "psm2", "tcp;ofi_rxm", "tcp" };
enum { BESTS = sizeof best / sizeof *best };

enum { VERSION = FI_VERSION(1, 9) };

/* Sets only variables that the user has not set. */
static void prepare_environment(void)
{
    uint32_t v = fi_version();

    /* With dynamic buffers, these versions of ofi_rxm lose messages that are too long, and do
     * not report that a peer has ended. */
    if (FI_MAJOR(v) == 1 && FI_MINOR(v) >= 13 && FI_MINOR(v) <= 17)
        (void) setenv("FI_OFI_RXM_ENABLE_DYN_RBUF", "0", 0);
}

static struct fi_info *hints_for(const char *provider, uint64_t caps, uint64_t order)
{
    struct fi_info *h = fi_allocinfo();

    if (!h)
        return NULL;
    h->caps = caps;
    h->mode = FI_CONTEXT | FI_CONTEXT2;
    h->ep_attr->type = FI_EP_RDM;
    h->domain_attr->mr_mode =
        FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;
    h->domain_attr->threading = FI_THREAD_DOMAIN;
    h->domain_attr->resource_mgmt = FI_RM_ENABLED;
    h->tx_attr->msg_order = h->rx_attr->msg_order = order;
    if (*provider)
        h->fabric_attr->prov_name = strdup(provider);
    return h;
}

/* Lists what libfabric offers of a provider: with RMA reads and ordered messages, if possible. */
static int provider_getinfo(const char *provider, struct fi_info **list)
{
    static const uint64_t read = FI_MSG | FI_RMA | FI_READ | FI_REMOTE_READ;
    const uint64_t caps[] = { read, read, FI_MSG, FI_MSG },
                   order[] = { FI_ORDER_SAS, 0, FI_ORDER_SAS, 0 };
    int rc = -FI_ENODATA;

    *list = NULL;
    for (int i = 0; i < 4 && rc == -FI_ENODATA; i++) {
        struct fi_info *h = hints_for(provider, caps[i], order[i]);
        rc = h ? fi_getinfo(VERSION, NULL, NULL, 0, h, list) : -FI_ENOMEM;
        fi_freeinfo(h);
    }
    return rc;
}

enum place { LOOPBACK, LINK, WIDE, OTHER };

/* The network from which an address can be reached. */
static enum place place_of(const struct fi_info *i)
{
    const struct sockaddr_in *in = i->src_addr;
    const struct sockaddr_in6 *in6 = i->src_addr;

    if (!i->src_addr)
        return OTHER;
    if (i->addr_format == FI_SOCKADDR_IN && i->src_addrlen >= sizeof *in)
        return ntohl(in->sin_addr.s_addr) >> 24 == 127 ? LOOPBACK : WIDE;
    if (i->addr_format == FI_SOCKADDR_IN6 && i->src_addrlen >= sizeof *in6)
        return IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr)    ? LOOPBACK
               : IN6_IS_ADDR_LINKLOCAL(&in6->sin6_addr) ? LINK
                                                        : WIDE;
    return OTHER;
}

/* How good an offer is; <0: it cannot be used. For a job on one node loopback is best, because
 * no other host reaches it; a job on several nodes cannot use it. */
static int provider_score(const struct fi_info *i, bool alone)
{
    const struct ofi_settings *s = ofi_dev.settings;
    static const int wide[] = { [LOOPBACK] = -1, [LINK] = 0, [OTHER] = 2, [WIDE] = 2 };
    static const int here[] = { [LOOPBACK] = 3, [LINK] = 0, [OTHER] = 2, [WIDE] = 2 };
    int rank = 0, place = (alone ? here : wide)[place_of(i)];

    while (rank < BESTS && strcmp(best[rank], i->fabric_attr->prov_name))
        rank++;
    if ((rank == BESTS && !*s->provider) || i->ep_attr->max_msg_size < OFI_MESSAGE_MAX)
        return -1;
    if (*s->domain)
        place = strcmp(s->domain, i->domain_attr->name) ? -1 : 3;
    if (place < 0)
        return -1;
    return ((BESTS - rank) * 4 + place) * 2 + (i->addr_format != FI_SOCKADDR_IN6);
}

/* Of the orders that a provider may keep only that of messages counts. With atomic operations
 * ofi_rxm keeps less order of reads and writes. */
static uint64_t message_order(const struct fi_info *i)
{
    return i->tx_attr->msg_order & FI_ORDER_SAS;
}

static bool same_place(const struct fi_info *a, const struct fi_info *b)
{
    return !strcmp(a->fabric_attr->prov_name, b->fabric_attr->prov_name)
           && !strcmp(a->fabric_attr->name, b->fabric_attr->name)
           && !strcmp(a->domain_attr->name, b->domain_attr->name)
           && a->addr_format == b->addr_format && a->src_addrlen == b->src_addrlen
           && (!a->src_addr || !b->src_addr || !memcmp(a->src_addr, b->src_addr, a->src_addrlen))
           && a->domain_attr->mr_mode == b->domain_attr->mr_mode
           && a->ep_attr->max_msg_size >= OFI_MESSAGE_MAX && message_order(a) == message_order(b)
           && a->mode == b->mode;
}

/* Replaces the chosen offer by one of the same provider and place that has these capabilities, too.
 * False: there is none. */
static bool ask_for(uint64_t caps, uint64_t completion)
{
    struct fi_info *old = ofi_dev.info, *list = NULL;
    struct fi_info *h = hints_for(old->fabric_attr->prov_name, caps, message_order(old));
    bool found = false;

    if (!h)
        return false;
    h->tx_attr->op_flags = completion;
    if (fi_getinfo(VERSION, NULL, NULL, 0, h, &list))
        list = NULL;
    fi_freeinfo(h);
    for (struct fi_info *i = list; i && !found; i = i->next) {
        struct fi_info *copy = same_place(i, old) ? fi_dupinfo(i) : NULL;
        if (!copy)
            continue;
        copy->tx_attr->op_flags = old->tx_attr->op_flags; /* messages complete as before */
        ofi_dev.info = copy;
        found = true;
        fi_freeinfo(old);
    }
    fi_freeinfo(list);
    return found;
}

/* Asks for writes and atomic operations with completions that tell of delivery; else for one of
 * them. An atomic operation that fetches needs no such completion. */
static void ask_for_one_sided(void)
{
    static const uint64_t write =
        FI_MSG | FI_RMA | FI_READ | FI_REMOTE_READ | FI_WRITE | FI_REMOTE_WRITE;
    static const struct {
        uint64_t caps, completion;
    } row[] = { { write | FI_ATOMIC, FI_DELIVERY_COMPLETE },
                { write, FI_DELIVERY_COMPLETE },
                { write | FI_ATOMIC, 0 } };

    /* That of libfabric 1.17 does an operation more than once while two processes work on one. */
    bool shm = !strcmp(ofi_dev.info->fabric_attr->prov_name, "shm");

    if (!(ofi_dev.info->caps & FI_RMA))
        return;
    for (int i = 0; i < 3 && !ofi_dev.can_put && !ofi_dev.can_atomic; i++) {
        bool found = !(shm && row[i].caps & FI_ATOMIC) && ask_for(row[i].caps, row[i].completion);
        ofi_dev.can_put = found && row[i].completion;
        ofi_dev.can_atomic = found && row[i].caps & FI_ATOMIC;
        ofi_dev.atomic_delivery = ofi_dev.can_put && ofi_dev.can_atomic;
    }
}

int ofi_choose_provider(bool alone)
{
    struct fi_info *list, *all, *chosen = NULL;
    int most = -1;

    prepare_environment();
    int rc = provider_getinfo(ofi_dev.settings->provider, &list);
    if (rc && rc != -FI_ENODATA)
        return ofi_error("asking libfabric for providers", rc);
    for (struct fi_info *i = list; i; i = i->next) {
        int value = provider_score(i, alone);
        if (value > most) {
            most = value;
            chosen = i;
        }
    }
    ofi_dev.info = chosen ? fi_dupinfo(chosen) : NULL;
    ofi_dev.loopback = chosen && place_of(chosen) == LOOPBACK;
    fi_freeinfo(list);
    if (chosen && !ofi_dev.info)
        return ofi_error("copying its description", FI_ENOMEM);
    if (chosen) {
        ask_for_one_sided();
        return 0;
    }
    (void) provider_getinfo("", &all);
    rc = ofi_no_provider(all);
    fi_freeinfo(all);
    return rc;
}
