/* proc.c — which processes there are, and which device reaches each.
 *
 * Devices that reach this node alone are opened first. If every process is here and has one, no
 * other is opened: a job on one node resolves no host name and opens no IP socket. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3_impl.h"

struct adi3_dev adi3_devs[ADI3_MAX_DEVICES];
int adi3_ndevs;
struct pmi_job adi3_job;
struct adi3_proc *adi3_procs;
bool proc_any_lost;

static struct dev_env env;
static bool one_node; /* every process is here, and its cards are in the segment */

int proc_error(const struct adi3_proc *p, int err)
{
    return adi3_error(MPI_ERR_OTHER, "process %d of MPI_COMM_WORLD%s%s: %s", p->peer.world_rank,
                      p->dev ? " over " : "", p->dev ? p->dev->ops->name : "", strerror(-err));
}

/* The words of STARLING_DEVICES: begin with the list, ends at NULL. */
static const char *next_word(const char *word)
{
    word += strcspn(word, ",");
    return *word ? word + 1 : NULL;
}

static bool is_word(const char *word, const char *name)
{
    size_t len = strlen(name);

    return strcspn(word, ",") == len && !strncmp(word, name, len);
}

/* An empty list means all; nobody can do without a way to reach himself. */
static bool chosen(const char *name)
{
    const char *w = adi3_setting_devices;

    if (!*w || !strcmp(name, "self"))
        return true;
    while (w && !is_word(w, name))
        w = next_word(w);
    return w;
}

static int check_words(void)
{
    const char *w = *adi3_setting_devices ? adi3_setting_devices : NULL;

    for (; w; w = next_word(w)) {
        int i = 0;
        while (dev_table[i] && !is_word(w, dev_table[i]->name))
            i++;
        if (!dev_table[i])
            return adi3_error(MPI_ERR_OTHER, "STARLING_DEVICES=%s: there is no device '%.*s' here",
                              adi3_setting_devices, (int) strcspn(w, ","), w);
    }
    return MPI_SUCCESS;
}

static int open_devices(bool node_only)
{
    for (int i = 0; dev_table[i]; i++) {
        struct adi3_dev *d = &adi3_devs[adi3_ndevs];
        if (adi3_ndevs == ADI3_MAX_DEVICES || !chosen(dev_table[i]->name))
            continue;
        *d = (struct adi3_dev) { .ops = dev_table[i] };
        if (d->ops->query(&d->limits) || d->limits.priority < 0 || d->limits.node_only != node_only)
            continue;
        int err = d->ops->open(&env, d->card);
        if (err)
            return adi3_error(MPI_ERR_OTHER, "device %s: %s", d->ops->name, strerror(-err));
        memcpy(node_card(adi3_node.index, adi3_ndevs), d->card, DEV_CARD_MAX);
        adi3_ndevs++;
    }
    return MPI_SUCCESS;
}

/* ---- cards ----------------------------------------------------------------------------------- */

/* In the segment and in the launcher's store a card is "name:address"; cards are parted by '|'. */

static void card_key(char key[32], int rank)
{
    char digits[12], *d = digits + sizeof digits;
    size_t len;

    do
        *--d = (char) ('0' + rank % 10);
    while (rank /= 10);
    memcpy(key, "card-", 5);
    len = (size_t) (digits + sizeof digits - d);
    memcpy(key + 5, d, len);
    key[5 + len] = '\0';
}

static void append(char *text, size_t len, const char *more)
{
    size_t used = strlen(text), n = strlen(more);

    if (used + n < len)
        memcpy(text + used, more, n + 1);
}

static void publish_in_node(void)
{
    for (int i = 0; i < adi3_ndevs; i++) {
        char *c = node_card(adi3_node.index, i);
        *c = '\0';
        append(c, DEV_CARD_MAX, adi3_devs[i].ops->name);
        append(c, DEV_CARD_MAX, ":");
        append(c, DEV_CARD_MAX, adi3_devs[i].card);
    }
}

static const char hex[] = "0123456789abcdef";

static int publish_in_job(void)
{
    char key[32], text[ADI3_MAX_DEVICES * DEV_CARD_MAX] = "", secret[2 * DEV_SECRET + 1];
    int err = 0;

    for (int i = 0; i < adi3_ndevs; i++) {
        append(text, sizeof text, i ? "|" : "");
        append(text, sizeof text, node_card(adi3_node.index, i));
    }
    card_key(key, adi3_job.rank);
    if (adi3_job.rank == 0) {
        for (int i = 0; i < DEV_SECRET; i++) {
            secret[2 * i] = hex[node_secret()[i] >> 4];
            secret[2 * i + 1] = hex[node_secret()[i] & 15];
        }
        secret[2 * DEV_SECRET] = '\0';
        err = pmi_put("secret", secret);
    }
    if (!err)
        err = pmi_put(key, text);
    return err ? adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text()) : MPI_SUCCESS;
}

/* The node's secret, or that of process 0's node when there are several. */
static int take_secret(void)
{
    char text[2 * DEV_SECRET + 1];

    memcpy(env.secret, node_secret(), DEV_SECRET);
    if (one_node)
        return MPI_SUCCESS;
    if (pmi_get("secret", text, sizeof text))
        return adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text());
    for (int i = 0; i < 2 * DEV_SECRET; i++) {
        const char *digit = text[i] ? strchr(hex, text[i]) : NULL;
        if (!digit)
            return adi3_error(MPI_ERR_OTHER, "the job's secret is not %d hexadecimal digits",
                              2 * DEV_SECRET);
        int value = (int) (digit - hex);
        env.secret[i / 2] = (unsigned char) (i % 2 ? env.secret[i / 2] | value : value << 4);
    }
    return MPI_SUCCESS;
}

/* The cards of a process on another node, each ended by a zero byte, an empty one behind them. The
 * caller frees them; NULL when it has published none. */
static char *fetch_cards(const struct adi3_proc *p)
{
    char key[32], text[ADI3_MAX_DEVICES * DEV_CARD_MAX + 1];

    memset(text, 0, sizeof text);
    card_key(key, p->peer.world_rank);
    if (pmi_get(key, text, sizeof text - 1))
        return NULL;
    for (char *bar = text; (bar = strchr(bar, '|')); bar++)
        *bar = '\0';
    char *cards = malloc(sizeof text);
    return cards ? memcpy(cards, text, sizeof text) : NULL;
}

/* The address in "name:address" when that is the device's name. */
static const char *address_in(const char *card, const struct adi3_dev *d)
{
    size_t len = strlen(d->ops->name);

    return !strncmp(card, d->ops->name, len) && card[len] == ':' ? card + len + 1 : NULL;
}

/* The address of a process for this device; NULL when it did not open the device. */
static const char *card_of(const struct adi3_proc *p, const char *cards, const struct adi3_dev *d)
{
    const char *address = NULL;

    if (p->peer.local >= 0) {
        for (int i = 0; i < ADI3_MAX_DEVICES && !address; i++)
            address = address_in(node_card(p->peer.local, i), d);
        return address;
    }
    for (const char *c = cards; c && *c && !address; c += strlen(c) + 1)
        address = address_in(c, d);
    return address;
}

/* ---- peers ----------------------------------------------------------------------------------- */

/* For devices that inject whole packets only. */
static int inject_packet(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag,
                         const void *data, size_t len)
{
    const struct dev_pkt pkt = {
        .payload = len, .type = PKT_EAGER, .flags = DEV_PLAIN, .ctx = ctx, .rank = rank, .tag = tag
    };

    return proc_of(to)->dev->ops->inject(to, &pkt, data);
}

/* Gives a process to the device that reaches it at the lowest cost. */
int proc_add(struct adi3_proc *p)
{
    int best = -1;

    if (p->lost)
        return proc_error(p, p->lost);
    char *cards = p->peer.local < 0 ? fetch_cards(p) : NULL;
    for (int i = 0; i < adi3_ndevs; i++) {
        const char *card = card_of(p, cards, &adi3_devs[i]);
        p->peer.card = card;
        int cost = card ? adi3_devs[i].ops->cost(&p->peer) : -1;
        if (cost >= 0 && (best < 0 || cost < best)) {
            best = cost;
            p->dev = &adi3_devs[i];
        }
    }
    const char *card = best < 0 ? NULL : card_of(p, cards, p->dev);
    p->peer.card = card && p->peer.local < 0 ? strdup(card) : card; /* freed by proc_finalize */
    free(cards);
    if (best < 0)
        return adi3_error(MPI_ERR_OTHER, "no device of this process reaches process %d; here: %s",
                          p->peer.world_rank, adi3_setting_devices);
    int err = p->dev->ops->add_peer(&p->peer);
    if (err) {
        err = proc_error(p, err);
        if (p->peer.local < 0)
            free((char *) (uintptr_t) p->peer.card);
        p->peer.card = NULL;
        p->dev = NULL; /* perhaps it can be had the next time */
        return err;
    }
    p->dev->has_peers = true;
    p->credit = (ptrdiff_t) proto_credit;
    p->inject_plain = p->dev->ops->inject_plain ? p->dev->ops->inject_plain : inject_packet;
    p->inject_below = p->dev->limits.inject_max + 1;
    return MPI_SUCCESS;
}

void proc_lost(struct adi3_proc *p, int err)
{
    if (p->lost)
        return;
    p->lost = err < 0 ? err : -ECONNRESET;
    proc_any_lost = true;
    p->inject_below = 0;
    proto_peer_lost(p);
}

void proc_died(struct adi3_proc *p)
{
    if (p->dev && !p->lost) {
        p->lost = -ECONNRESET;
        p->dev->ops->del_peer(&p->peer);
        p->lost = 0;
    }
    proc_lost(p, -ECONNRESET);
}

/* ---- joining and leaving --------------------------------------------------------------------- */

/* Every process of the job is on this node and has opened a device for it. */
static bool all_here(void)
{
    bool all = adi3_node.count == adi3_job.size;

    for (int i = 0; i < adi3_node.count && all; i++)
        all = node_card(i, 0)[0] && (node_card(i, 1)[0] || adi3_job.size == 1);
    return all;
}

static int open_others(void)
{
    int err = open_devices(false);

    if (err)
        return err;
    publish_in_node();
    if (adi3_node.count < adi3_job.size && (err = publish_in_job()))
        return err;
    return node_barrier();
}

static int make_procs(void)
{
    if (!(adi3_procs = calloc((size_t) adi3_job.size, sizeof *adi3_procs)))
        return adi3_error(MPI_ERR_NO_MEM, "out of memory for %d processes", adi3_job.size);
    for (int i = 0; i < adi3_job.size; i++) {
        adi3_procs[i].peer.world_rank = i;
        adi3_procs[i].peer.local = -1;
    }
    for (int i = 0; i < adi3_node.count; i++) {
        int rank = adi3_node.world_rank(i);
        if (rank >= 0 && rank < adi3_job.size)
            adi3_procs[rank].peer.local = i;
    }
    return MPI_SUCCESS;
}

int proc_init(void)
{
    int err = check_words();

    if (err || (err = node_join(&adi3_job)))
        return err;
    env.up = &adi3_upcalls;
    env.world_rank = adi3_job.rank;
    env.world_size = adi3_job.size;
    env.node = &adi3_node;
    memcpy(env.job, adi3_job.name, strnlen(adi3_job.name, sizeof env.job - 1));
    if ((err = open_devices(true)))
        return err;
    publish_in_node();
    if ((err = node_barrier()))
        return err;
    node_ready();
    one_node = adi3_node.count == adi3_job.size;
    if (!all_here() && (err = open_others()))
        return err;
    if (!adi3_ndevs)
        return adi3_error(MPI_ERR_OTHER, "STARLING_DEVICES=%s: no such device can run here",
                          adi3_setting_devices);
    if ((err = take_secret()))
        return err;
    return make_procs();
}

void proc_finalize(void)
{
    for (int i = 0; adi3_procs && i < adi3_job.size; i++) {
        struct adi3_proc *p = &adi3_procs[i];
        if (p->dev && !p->lost)
            p->dev->ops->del_peer(&p->peer);
        if (p->peer.local < 0)
            free((char *) (uintptr_t) p->peer.card);
    }
    for (int i = 0; i < adi3_ndevs; i++)
        adi3_devs[i].ops->close();
    adi3_ndevs = 0;
    free(adi3_procs);
    adi3_procs = NULL;
    node_leave();
}
