/* business_card.c — publishes and looks up the addresses of a process and the job's secret.
 *
 * A business card is a list of addresses "device:address", with the name of the host and the number
 * of the node. Processes of this node read them in the segment, others in the launcher's store,
 * where '|' separates them. */
#include <stdlib.h>
#include <string.h>
#include "proc_impl.h"

static void append_number(char *text, int n)
{
    char digits[12], *d = digits + sizeof digits;
    size_t used = strlen(text);

    for (*--d = '\0'; d == digits + sizeof digits - 1 || n; n /= 10)
        *--d = (char) ('0' + n % 10);
    memcpy(text + used, d, strlen(d) + 1);
}

/* The key of a process's card in the launcher's store. Launchers accept a key only once, so it
 * has a number after devices have been opened again. */
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

/* The characters of host names that are published: a launcher may drop others. */
static const char name_chars[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

int business_card_publish(void)
{
    char key[32], text[ADI3_MAX_DEVICES * DEV_ENDPOINT_MAX] = "", secret[2 * DEV_SECRET + 1];
    char node[32] = "|node:"; /* the number of the node */
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

/* It is the secret of this node; in a job of several nodes that of the node of process 0. */
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

char *business_card_fetch(const struct adi3_proc *p)
{
    char key[32], text[ADI3_MAX_DEVICES * DEV_ENDPOINT_MAX + 1];

    memset(text, 0, sizeof text);
    card_key(key, p->peer.world_rank);
    if (pmi_get(key, text, sizeof text - 1))
        return NULL;
    for (char *bar = text; (bar = strchr(bar, '|')); bar++)
        *bar = '\0';
    char *card = malloc(sizeof text);
    return card ? memcpy(card, text, sizeof text) : NULL;
}

/* The address in an entry "name:address" with that name; else NULL. */
static const char *address_in(const char *entry, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(entry, name, len) && entry[len] == ':' ? entry + len + 1 : NULL;
}

const char *business_card_find(const char *card, const char *name)
{
    const char *address = NULL;

    for (const char *entry = card; entry && *entry && !address; entry += strlen(entry) + 1)
        address = address_in(entry, name);
    return address;
}

int business_card_node(const struct adi3_proc *p)
{
    char *card = business_card_fetch(p);
    const char *number = business_card_find(card, "node");
    long node = number && *number ? strtol(number, NULL, 10) : -1;

    free(card);
    return node >= 0 && node < adi3_job.size ? (int) node : -1;
}

const char *business_card_endpoint(const struct adi3_proc *p, const char *card,
                                   const struct adi3_dev *d)
{
    const char *address = NULL;

    if (p->peer.local >= 0) {
        for (int i = 0; i < ADI3_MAX_DEVICES && !address; i++)
            address = address_in(node_endpoint(p->peer.local, i), d->ops->name);
        return address;
    }
    return business_card_find(card, d->ops->name);
}
