/* business_card.c — the addresses of a process, and the job's secret: published, and found. */
#include <stdlib.h>
#include <string.h>
#include "proc_impl.h"

/* In the segment and in the launcher's store a card is "name:address"; cards are parted by '|'. */

static void append_number(char *text, int n)
{
    char digits[12], *d = digits + sizeof digits;
    size_t used = strlen(text);

    for (*--d = '\0'; d == digits + sizeof digits - 1 || n; n /= 10)
        *--d = (char) ('0' + n % 10);
    memcpy(text + used, d, strlen(d) + 1);
}

/* Launchers take a key once: when devices are opened again, there are new ones. */
static void card_key(char key[32], int rank)
{
    memcpy(key, "card-", 6);
    append_number(key, rank);
    if (proc_reopened == 0)
        return;
    memcpy(key + strlen(key), ".", 2);
    append_number(key, proc_reopened);
}

static void append(char *text, size_t len, const char *more)
{
    size_t used = strlen(text), n = strlen(more);

    if (used + n < len)
        memcpy(text + used, more, n + 1);
}

void business_card_publish_here(void)
{
    for (int i = 0; i < adi3_ndevs; i++) {
        char *c = node_endpoint(adi3_node.index, i);
        *c = '\0';
        append(c, DEV_ENDPOINT_MAX, adi3_devs[i].ops->name);
        append(c, DEV_ENDPOINT_MAX, ":");
        append(c, DEV_ENDPOINT_MAX, adi3_devs[i].endpoint);
    }
}

static const char hex[] = "0123456789abcdef";

/* Behind the cards the name of our host, for texts; any other characters might get lost. */
static const char name_chars[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

int business_card_publish(void)
{
    char key[32], text[ADI3_MAX_DEVICES * DEV_ENDPOINT_MAX] = "", secret[2 * DEV_SECRET + 1];
    char node[32] = "|node:"; /* which node that is, by number */
    int err = 0;

    for (int i = 0; i < adi3_ndevs; i++) {
        append(text, sizeof text, i ? "|" : "");
        append(text, sizeof text, node_endpoint(adi3_node.index, i));
    }
    if (strspn(adi3_hostname(), name_chars) == strlen(adi3_hostname())) {
        append(text, sizeof text, "|host:");
        append(text, sizeof text, adi3_hostname());
    }
    append_number(node, adi3_node_leader());
    append(text, sizeof text, node);
    card_key(key, adi3_job.rank);
    if (adi3_job.rank == 0 && !proc_reopened) {
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
int business_card_take_secret(void)
{
    char text[2 * DEV_SECRET + 1];

    memcpy(proc_env.secret, node_secret(), DEV_SECRET);
    if (adi3_node.count == adi3_job.size)
        return MPI_SUCCESS;
    if (pmi_get("secret", text, sizeof text))
        return adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text());
    for (int i = 0; i < 2 * DEV_SECRET; i++) {
        const char *digit = text[i] ? strchr(hex, text[i]) : NULL;
        if (!digit)
            return adi3_error(MPI_ERR_OTHER, "the job's secret is not %d hexadecimal digits",
                              2 * DEV_SECRET);
        int value = (int) (digit - hex);
        proc_env.secret[i / 2] =
            (unsigned char) (i % 2 ? proc_env.secret[i / 2] | value : value << 4);
    }
    return MPI_SUCCESS;
}

/* The cards of a process on another node, each ended by a zero byte, an empty one behind them. The
 * caller frees them; NULL when it has published none. */
char *business_card_fetch(const struct adi3_proc *p)
{
    char key[32], text[ADI3_MAX_DEVICES * DEV_ENDPOINT_MAX + 1];

    memset(text, 0, sizeof text);
    card_key(key, p->peer.world_rank);
    if (pmi_get(key, text, sizeof text - 1))
        return NULL;
    for (char *bar = text; (bar = strchr(bar, '|')); bar++)
        *bar = '\0';
    char *cards = malloc(sizeof text);
    return cards ? memcpy(cards, text, sizeof text) : NULL;
}

/* The address in "name:address" when that is the name. */
static const char *address_in(const char *card, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(card, name, len) && card[len] == ':' ? card + len + 1 : NULL;
}

const char *business_card_find(const char *cards, const char *name)
{
    const char *address = NULL;

    for (const char *c = cards; c && *c && !address; c += strlen(c) + 1)
        address = address_in(c, name);
    return address;
}

int business_card_node(const struct adi3_proc *p)
{
    char *cards = business_card_fetch(p);
    const char *number = business_card_find(cards, "node");
    long node = number && *number ? strtol(number, NULL, 10) : -1;

    free(cards);
    return node >= 0 && node < adi3_job.size ? (int) node : -1;
}

/* The address of a process for this device; NULL when it did not open the device. */
const char *business_card_endpoint(const struct adi3_proc *p, const char *cards,
                                   const struct adi3_dev *d)
{
    const char *address = NULL;

    if (p->peer.local >= 0) {
        for (int i = 0; i < ADI3_MAX_DEVICES && !address; i++)
            address = address_in(node_endpoint(p->peer.local, i), d->ops->name);
        return address;
    }
    return business_card_find(cards, d->ops->name);
}
