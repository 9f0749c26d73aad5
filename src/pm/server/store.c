/* store.c — the key-value store of a generation, and the keys that the server itself provides.
 *
 * The value of STARLING_all_PREFIX is that of all keys with this prefix. It saves a job a request
 * of each rank for each rank. What has no room in a value has pages instead, STARLING_page_N_PREFIX
 * from 0 on: one that is not the last one ends in '+'. Lists are made once, for all hubs, and kept
 * until a rank puts something.
 *
 * A hub has what its ranks have put, and the values that it has got from the root. It forgets them
 * when a key has got another value, which is rare: others pass once. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/server/pm_server_impl.h"

enum { PUTS_MAX = 1 << 18 }; /* bytes in a note */

const char *pm_store_reserved(const struct pm_server_job *j, int rank, const char *key)
{
    if (!strcmp(key, "PMI_process_mapping"))
        return *j->mapping ? j->mapping : NULL;
    if (!strcmp(key, "STARLING_settings"))
        return j->settings;
    if (!strcmp(key, "STARLING_program"))
        return j->program ? j->program[j->appnum[rank]] : "";
    if (!strcmp(key, "PMI_dead_processes"))
        return j->dead;
    return NULL;
}

static const char all[] = "STARLING_all_", a_page[] = "STARLING_page_";

/* The prefix that such a key is about; NULL: it is another key. */
static const char *prefix_of(const char *key)
{
    if (!strncmp(key, all, sizeof all - 1))
        return key + sizeof all - 1;
    if (strncmp(key, a_page, sizeof a_page - 1) != 0)
        return NULL;
    key += sizeof a_page - 1;
    key += strspn(key, "0123456789");
    return *key == '_' ? key + 1 : NULL;
}

/* ---- what ranks have put --------------------------------------------------------------------- */

static int puts_append(struct pm_generation *g, const char *text)
{
    size_t len = strlen(text) + 1;

    if (g->puts_len + len > g->puts_room) {
        size_t room = 2 * (g->puts_room + len) + 1024;
        char *more = realloc(g->puts, room);
        if (!more)
            return -ENOMEM;
        g->puts = more;
        g->puts_room = room;
    }
    memcpy(g->puts + g->puts_len, text, len);
    g->puts_len += len;
    return 0;
}

void pm_store_send_puts(struct pm_server_job *j, struct pm_generation *g, enum pm_note_kind kind)
{
    j->events.up(j->events.owner,
                 &(struct pm_note) {
                     .kind = kind, .generation = g->number, .bytes = g->puts, .len = g->puts_len });
    g->puts_len = 0;
}

bool pm_store_is_reserved(const struct pm_server_job *j, int rank, const char *key)
{
    return pm_store_reserved(j, rank, key) || pm_is_memory(key) || prefix_of(key);
}

/* The first program of the ranks finds it. */
int pm_store_preput(struct pm_server_job *j, const char *key, const char *value)
{
    struct pm_generation *g = pm_generation_get(j, 0);

    if (strlen(key) > PMI_KEY_MAX || strlen(value) > PM_VALUE_MAX)
        return -EMSGSIZE;
    return g ? pm_kvs_put(&g->kvs, key, value) : -ENOMEM;
}

const char *pm_store_put(struct pm_server_job *j, int rank, const char *key, const char *value)
{
    struct pm_generation *g = j->client[rank].generation;

    if (pm_store_is_reserved(j, rank, key))
        return "reserved_key";
    if (pm_kvs_put(&g->kvs, key, value))
        return "out_of_memory";
    if (!j->events.up) {
        pm_kvs_free(&g->lists);
        return NULL;
    }
    size_t before = g->puts_len;
    if (puts_append(g, key) || puts_append(g, value)) {
        g->puts_len = before;
        return "out_of_memory";
    }
    if (g->puts_len > PUTS_MAX)
        pm_store_send_puts(j, g, PM_NOTE_PUT);
    return NULL;
}

int pm_store_take_puts(struct pm_generation *g, const struct pm_note *note)
{
    struct pm_note rest = *note;

    if (rest.len)
        pm_kvs_free(&g->lists);
    while (rest.len) {
        const char *key = pm_note_text(&rest), *value = key ? pm_note_text(&rest) : NULL;
        if (!value)
            return -EBADMSG;
        const char *old = pm_kvs_get(&g->kvs, key);
        g->changed |= old && strcmp(old, value) != 0;
        if (pm_kvs_put(&g->kvs, key, value))
            return -ENOMEM;
    }
    return 0;
}

/* What is put while the barrier ends is not at the root yet. */
void pm_store_released(struct pm_generation *g, bool changed)
{
    pm_kvs_free(&g->unknown);
    pm_kvs_free(&g->lists);
    g->prefetched = false;
    if (!changed)
        return;
    pm_kvs_free(&g->kvs);
    (void) pm_store_take_puts(g, &(struct pm_note) { .bytes = g->puts, .len = g->puts_len });
}

void pm_store_free(struct pm_generation *g)
{
    pm_kvs_free(&g->kvs);
    pm_kvs_free(&g->unknown);
    pm_kvs_free(&g->lists);
    free(g->puts);
}

/* ---- what ranks get -------------------------------------------------------------------------- */

static int put_page(struct pm_generation *g, int page, const char *prefix, const char *value)
{
    char key[PMI_KEY_MAX + 32];

    (void) snprintf(key, sizeof key, "%s%d_%s", a_page, page, prefix);
    return pm_kvs_put(&g->lists, key, value);
}

/* Puts all values with this prefix into g->lists: in pages, and whole if there is one page. */
static int put_list(struct pm_generation *g, const char *prefix, char *text)
{
    char key[PMI_KEY_MAX + 32], *page = text;
    size_t left = strlen(text);
    int n = 0, err = 0;

    for (; left > PM_SETTINGS_MAX && !err; left -= PM_SETTINGS_MAX - 1) {
        char *behind = page + PM_SETTINGS_MAX - 1, kept[2] = { behind[0], behind[1] };
        memcpy(behind, "+", 2);
        err = put_page(g, n++, prefix, page);
        memcpy(behind, kept, 2);
        page = behind;
    }
    if (!err)
        err = put_page(g, n, prefix, page);
    (void) snprintf(key, sizeof key, "%s%s", all, prefix);
    if (!err && !n)
        err = pm_kvs_put(&g->lists, key, text);
    return err;
}

/* Lists are kept of one prefix. Without memory there is none. */
static void make_list(struct pm_generation *g, const char *prefix)
{
    char first[PMI_KEY_MAX + 32];

    (void) snprintf(first, sizeof first, "%s0_%s", a_page, prefix);
    if (pm_kvs_get(&g->lists, first))
        return;
    char *text = pm_kvs_join(&g->kvs, prefix);
    pm_kvs_free(&g->lists);
    if (text && put_list(g, prefix, text))
        pm_kvs_free(&g->lists);
    free(text);
}

static const char *store_find(struct pm_generation *g, const char *key)
{
    const char *prefix = prefix_of(key);

    if (prefix)
        make_list(g, prefix);
    return pm_kvs_get(prefix ? &g->lists : &g->kvs, key);
}

/* Whether another rank has asked the root for this key. */
static bool is_asked(const struct pm_server_job *j, const struct pm_client *of, const char *key)
{
    for (int i = 0; i < j->owns; i++) {
        const struct pm_client *c = &j->client[j->own[i]];
        if (c != of && c->asking && c->generation == of->generation && !strcmp(c->asked, key))
            return true;
    }
    return false;
}

bool pm_store_get(struct pm_server_job *j, int rank, const char *key, const char **value)
{
    struct pm_client *c = &j->client[rank];
    struct pm_generation *g = c->generation;

    if ((*value = pm_store_reserved(j, rank, key)))
        return true;
    if (!j->events.up) {
        *value = store_find(g, key);
        return true;
    }
    *value = pm_kvs_get(prefix_of(key) ? &g->lists : &g->kvs, key);
    if (*value || pm_kvs_get(&g->unknown, key))
        return true;
    memcpy(c->asked, key, strlen(key) + 1);
    const struct pm_note note = { .kind = PM_NOTE_GET,
                                  .generation = g->number,
                                  .value = rank == *j->own && !g->prefetched && !prefix_of(key),
                                  .bytes = c->asked,
                                  .len = strlen(key) + 1 };
    pm_client_ask(j, rank, is_asked(j, c, key) ? NULL : &note);
    return false;
}

int pm_store_answer(struct pm_server_job *j, int node, const struct pm_note *note)
{
    struct pm_note rest = *note;
    const char *key = pm_note_text(&rest);
    struct pm_generation *g = pm_generation_get(j, note->generation);
    char *bytes = j->server->out;

    if (!key || !*key || rest.len || strlen(key) > PMI_KEY_MAX)
        return -EBADMSG;
    if (!g)
        return -ENOMEM;
    const char *value = store_find(g, key);
    size_t key_size = strlen(key) + 1, value_size = value ? strlen(value) + 1 : 0;
    if (key_size + value_size > sizeof j->server->out)
        return -EBADMSG;
    memcpy(bytes, key, key_size);
    if (value)
        memcpy(bytes + key_size, value, value_size);
    size_t len = key_size + value_size;
    if (value && note->value)
        len += pm_prefetch(j, g, node, key, bytes + len, sizeof j->server->out - len);
    j->events.down(
        j->events.owner, node,
        &(struct pm_note) {
            .kind = PM_NOTE_VALUE, .generation = note->generation, .bytes = bytes, .len = len });
    return 0;
}

/* A rank of the hub may have put the key in the meantime. */
static int store_learn(struct pm_generation *g, const char *key, const char *value)
{
    if (!value)
        return pm_kvs_put(&g->unknown, key, "");
    if (prefix_of(key))
        return pm_kvs_put(&g->lists, key, value);
    return pm_kvs_get(&g->kvs, key) ? 0 : pm_kvs_put(&g->kvs, key, value);
}

/* What the lowest rank asks for next is here now. */
static int learn_prefetched(struct pm_generation *g, struct pm_note *rest)
{
    int err = 0;

    while (rest->len && !err) {
        const char *key = pm_note_text(rest), *value = key ? pm_note_text(rest) : NULL;
        if (!value)
            return -EBADMSG;
        if (!g)
            continue;
        g->prefetched = true;
        err = store_learn(g, key, value);
    }
    return err;
}

int pm_store_learn(struct pm_server_job *j, const struct pm_note *note)
{
    struct pm_note rest = *note;
    const char *key = pm_note_text(&rest), *value = rest.len ? pm_note_text(&rest) : NULL;
    struct pm_generation *g = pm_generation_find(j, note->generation);

    if (!key)
        return -EBADMSG;
    int err = g ? store_learn(g, key, value) : 0; /* the ranks that asked have gone */
    if (!err)
        err = learn_prefetched(g, &rest);
    for (int i = 0; i < j->owns && !err; i++) {
        const struct pm_client *c = &j->client[j->own[i]];
        if (c->asking && c->generation && c->generation->number == note->generation
            && !strcmp(c->asked, key))
            pm_client_resume(j, j->own[i]);
    }
    return err;
}
