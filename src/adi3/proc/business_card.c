/* business_card.c — publishes and looks up the addresses of a process and the job's secret.
 *
 * A business card is a list of addresses "device:address", with the name of the host, the number of
 * the node in the job, and its id (node_id.c). Processes of this node read them in the segment,
 * others in the launcher's store, where '|' separates them. */
#include <stdlib.h>
#include <string.h>
#include "devices/hex.h"
#include "adi3/proc/proc_impl.h"

/* The key of a process's business card in the launcher's store. Launchers accept a key only once,
 * so it has a number after devices have been opened again. */
static void business_card_key(char key[32], int rank)
{
    memcpy(key, "card-", 6);
    text_append_number(key, rank);
    if (proc_reopened == 0)
        return;
    memcpy(key + strlen(key), ".", 2);
    text_append_number(key, proc_reopened);
}

static void business_card_append(char *text, size_t len, const char *more)
{
    size_t used = strlen(text), n = strlen(more);

    if (used + n < len)
        memcpy(text + used, more, n + 1);
}

static void append_address(char *text, size_t len, const struct adi3_dev *d)
{
    business_card_append(text, len, d->ops->name);
    business_card_append(text, len, ":");
    business_card_append(text, len, d->endpoint);
}

void business_card_publish_here(int dev)
{
    char *c = node_endpoint(&adi3_node, adi3_node.index, dev);

    *c = '\0';
    append_address(c, DEV_ENDPOINT_MAX, &adi3_devs[dev]);
}

/* The characters of host names that are published: a launcher may drop others. */
static const char name_chars[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";

static void business_card_write(char *text, size_t len)
{
    char node[32] = "|node:"; /* the number of the node */
    char node_id[32] = "|node_id:", abi[ABI_TEXT];

    *text = '\0';
    for (int i = 0; i < adi3_ndevs; i++) {
        if (adi3_devs[i].narrow)
            continue;
        business_card_append(text, len, *text ? "|" : "");
        append_address(text, len, &adi3_devs[i]);
    }
    if (strspn(adi3_hostname(), name_chars) == strlen(adi3_hostname())) {
        business_card_append(text, len, "|host:");
        business_card_append(text, len, adi3_hostname());
    }
    text_append_number(node, adi3_node_leader());
    business_card_append(text, len, node);
    *hex_put(node_id + strlen(node_id), node_id_here()) = '\0';
    business_card_append(text, len, node_id);
    business_card_append(text, len, "|abi:");
    abi_write(abi);
    business_card_append(text, len, abi);
}

int business_card_publish(void)
{
    char key[32], text[ADI3_MAX_DEVICES * DEV_ENDPOINT_MAX], secret[2 * NODE_KEYS + 1];
    int err = 0;

    business_card_write(text, sizeof text);
    business_card_key(key, adi3_job.rank);
    if (adi3_job.rank == 0 && !proc_reopened) {
        *hex_put_bytes(secret, node_keys(), NODE_KEYS) = '\0';
        err = pmi_put("secret", secret);
    }
    if (!err)
        err = pmi_put(key, text);
    return err ? adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text()) : node_map_publish();
}

/* The id is in the same order of bytes on all machines. */
static void set_keys(const unsigned char keys[NODE_KEYS])
{
    struct dev_job *job = &proc_own_job.dev;

    memcpy(job->secret, keys, DEV_SECRET);
    job->id = 0;
    for (int i = NODE_KEYS - 1; i >= DEV_SECRET; i--)
        job->id = job->id << 8 | keys[i];
}

/* They are those of this node; in a job of several nodes those of the node of process 0. */
int business_card_take_keys(void)
{
    char text[2 * NODE_KEYS + 1];
    unsigned char keys[NODE_KEYS];

    set_keys(node_keys());
    if (adi3_node.count == adi3_job.size)
        return MPI_SUCCESS;
    if (pmi_get(0, "secret", text, sizeof text))
        return adi3_error(MPI_ERR_OTHER, "%s", pmi_error_text());
    if (strspn(text, hex_digits) != 2 * NODE_KEYS || text[2 * NODE_KEYS])
        return adi3_error(MPI_ERR_OTHER, "the job's secret is not %d hexadecimal digits",
                          2 * NODE_KEYS);
    hex_take_bytes(text, keys, NODE_KEYS);
    set_keys(keys);
    return MPI_SUCCESS;
}

/* ---- looking up ------------------------------------------------------------------------------ */

/* A device may be calling, from its poll, and this thread may be about to add a peer that another
 * one must not add as well. So while a launcher has to answer a spawn first, this does not wait by
 * pmi_wait_hook, which polls devices and gives the lock away. */
char *business_card_of_launcher(const struct proc_job *job, int rank)
{
    char key[32], text[ADI3_MAX_DEVICES * DEV_ENDPOINT_MAX + 1];
    void (*hook)(int fd) = pmi_wait_hook;

    (void) job;
    business_card_key(key, rank);
    pmi_wait_hook = NULL;
    int err = pmi_get(rank, key, text, sizeof text);
    pmi_wait_hook = hook;
    return err ? NULL : strdup(text);
}

char *business_card_fetch(const struct adi3_proc *p)
{
    const struct proc_job *job = proc_job_of(p);
    char *text = job->business_card(job, proc_rank(p));
    size_t len = text ? strlen(text) : 0;
    char *card = text ? realloc(text, len + 2) : NULL;

    if (!card) {
        free(text);
        return NULL;
    }
    card[len] = card[len + 1] = '\0';
    for (char *bar = card; (bar = strchr(bar, '|')); bar++)
        *bar = '\0';
    return card;
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

/* Reads a text of n numbers, written by hex_put(); false: the text is NULL or something else. */
static bool take_numbers(const char *text, uint64_t *x, int n)
{
    for (int i = 0; text && i < n; i++)
        if (hex_take(&text, UINT64_MAX, &x[i]))
            return false;
    return text && !*text;
}

int business_card_node(const struct adi3_proc *p)
{
    char *card = business_card_fetch(p);
    const char *number = business_card_find(card, "node");
    long node = number && *number ? strtol(number, NULL, 10) : -1;

    free(card);
    return node >= 0 && node < proc_job_of(p)->dev.size ? (int) node : -1;
}

uint64_t business_card_node_id(const struct adi3_proc *p)
{
    char *card = business_card_fetch(p);
    uint64_t id;
    bool known = take_numbers(business_card_find(card, "node_id"), &id, 1);

    free(card);
    return known ? id : 0;
}

const char *business_card_endpoint(const struct dev_peer *peer, const char *card,
                                   const struct adi3_dev *d)
{
    const char *address = NULL;

    if (peer->node) {
        for (int i = 0; i < ADI3_MAX_DEVICES && !address; i++)
            address = address_in(node_endpoint(peer->node, peer->local, i), d->ops->name);
        return address;
    }
    return business_card_find(card, d->ops->name);
}

/* ---- for processes of other jobs ------------------------------------------------------------- */

void proc_business_card_write(char text[PROC_BUSINESS_CARD], uint64_t memory)
{
    char more[160] = "|job", *at = more + strlen(more);

    business_card_write(text, PROC_BUSINESS_CARD);
    *at++ = ':'; /* hex_put() writes '-' in front of each number */
    at = hex_put(at, proc_own_job.dev.id);
    at = hex_put(at, (uint64_t) adi3_job.rank);
    memcpy(at, "|memory:", 8);
    at = hex_put(at + 8, share_socket_name());
    at = hex_put(at, memory);
    *at = '\0';
    business_card_append(text, PROC_BUSINESS_CARD, more);
}

bool proc_memory(const struct adi3_proc *p, uint64_t *share_socket, uint64_t *number)
{
    char *card = business_card_fetch(p);
    uint64_t x[2], id;
    bool elsewhere = take_numbers(business_card_find(card, "node_id"), &id, 1) && id
                     && node_id_here() && id != node_id_here();
    bool here = !elsewhere && take_numbers(business_card_find(card, "memory"), x, 2);

    free(card);
    if (here) {
        *share_socket = x[0];
        *number = x[1];
    }
    return here;
}

int business_card_check(const struct adi3_proc *p, const char *card)
{
    const char *job = business_card_find(card, "job");
    uint64_t x[2];
    char title[ADI3_TITLE];

    if (proc_job_of(p) == &proc_own_job || !card)
        return MPI_SUCCESS;
    if (take_numbers(job, x, 2) && x[0] == p->peer.job->id && x[1] == (uint64_t) p->peer.rank)
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_OTHER, "the business card of %s says that it is of job and rank %s",
                      proc_title(p, title), job ? job : "(nothing)");
}
