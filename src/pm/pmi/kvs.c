/* kvs.c — the key-value store in the launcher, through which processes exchange business cards.
 *
 * A value that is too long for one line is split: "*N" is stored under its key, and its N segments
 * under key-0, key-1, ... The same is done for an empty value, which some servers lose, and for a
 * value that starts with '*'. PMIx has a store for each process, and takes values of any length. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmix_impl.h"

enum { PAGES_MAX = 999 }; /* of 60 KB each: lists of more ranks than an int has numbers for */
enum { SEGMENTS_MAX = 999, PUT_OVERHEAD = sizeof "cmd=put kvsname= key= value=" + sizeof "-999" };

static int check_text(const char *what, const char *text)
{
    for (; *text; text++)
        if (*text <= ' ' || *text > '~' || strchr("\\;", *text))
            return pmi_fail(-EINVAL, "a PMI %s has the byte 0x%02x, which servers do not store",
                            what, (unsigned char) *text);
    return 0;
}

static int check_key(const char *key, size_t len)
{
    if (!*key || strlen(key) > len || strchr(key, '='))
        return pmi_fail(-EINVAL, "'%.100s' is not a PMI key: 1 to %zu characters without '='", key,
                        len);
    return check_text("key", key);
}

int pmi_check_pair(const char *key, const char *value)
{
    int err = check_key(key, PMI_KEY_MAX);

    if (!err && !*value)
        err = pmi_fail(-EINVAL, "the value of '%s' is empty", key);
    if (!err && strlen(value) > PMI_SEGMENT_MAX)
        err = pmi_fail(-EMSGSIZE, "the value of '%s' has %zu bytes, and PMI carries %d", key,
                       strlen(value), PMI_SEGMENT_MAX);
    if (!err)
        err = check_text("value", value);
    return err;
}

/* The key of one segment; valid until the next call. */
static const char *segment_key(const char *key, int index)
{
    static char name[PMI_KEY_MAX + sizeof "-999"];

    (void) snprintf(name, sizeof name, "%s-%d", key, index);
    return name;
}

static int put_line(const char *key, const char *value, size_t len)
{
    char *reply;
    int err = pmi_request(&reply, "put_result", "cmd=put kvsname=%s key=%s value=%.*s",
                          pmi_client.kvs, key, (int) len, value);

    if (!err && pmi_rc(reply))
        err = pmi_fail(-EPROTO, "the launcher (%s) refused the value of '%s'", pmi_client.launcher,
                       key);
    return err;
}

int pmi_put(const char *key, const char *value)
{
    size_t len = strlen(value), used = PUT_OVERHEAD + strlen(pmi_client.kvs);
    int err = pmi_check_joined();

    if (!err)
        err = check_key(key, PMI_KEY_MAX - strlen("-999"));
    if (!err)
        err = check_text("value", value);
    if (err)
        return err;
    if (pmi_client.pmix)
        return pmix_put(key, value);
    size_t room = PMI_REQUEST_MAX - used - strlen(key); /* at least 600 */
    if (room > PMI_SEGMENT_MAX)
        room = PMI_SEGMENT_MAX;
    if (len && len <= room && *value != '*')
        return put_line(key, value, len);
    if (len > room * SEGMENTS_MAX)
        return pmi_fail(-EMSGSIZE, "the value of '%s' has %zu bytes", key, len);
    int n = 0;
    for (size_t at = 0; at < len && !err; at += room)
        err = put_line(segment_key(key, n++), value + at, len - at < room ? len - at : room);
    char head[16];
    int digits = snprintf(head, sizeof head, "*%d", n);
    if (!err)
        err = put_line(key, head, (size_t) digits);
    return err;
}

static int get_line(const char *key, char *value, size_t len)
{
    char *reply;
    int err = pmi_request(&reply, "get_result", "cmd=get kvsname=%s key=%s", pmi_client.kvs, key);

    if (err)
        return err;
    if (pmi_rc(reply))
        return pmi_fail(-ENOENT, "no process has put '%s'", key);
    err = pmi_line_copy(reply, "value", value, len);
    if (err == -ENOENT)
        return pmi_fail(-EPROTO, "the launcher (%s) answered a get without a value",
                        pmi_client.launcher);
    return err ? pmi_fail(err, "the value of '%s' needs more than %zu bytes", key, len) : 0;
}

int pmi_get(int rank, const char *key, char *value, size_t len)
{
    char head[8] = "";
    int n, err = pmi_check_joined();

    if (!err)
        err = check_key(key, PMI_KEY_MAX);
    if (err)
        return err;
    if (pmi_client.pmix)
        return pmix_get(rank, key, value, len);
    err = get_line(key, value, len);
    if (err)
        return err;
    if (*value != '*')
        return 0;
    memcpy(head, value, strnlen(value, sizeof head - 1));
    *value = '\0';
    if (pmi_parse_int(head + 1, sizeof head - 1, &n) || n < 0 || n > SEGMENTS_MAX)
        return pmi_fail(-EPROTO, "the value of '%s' is '%s', which is not a number of segments",
                        key, head);
    for (int i = 0; i < n && !err; i++) {
        size_t used = strlen(value);
        err = get_line(segment_key(key, i), value + used, len - used);
    }
    return err == -ENOENT ? pmi_fail(-EPROTO, "a segment of '%s' is missing", key) : err;
}

static int kvs_decode_value(const char *key, const char *value, size_t n, char *text, size_t len)
{
    long got = pmi_percent_decode(value, n, text, len);

    pmi_client.starling = true;
    return got < 0 ? pmi_fail((int) got, "%s from mpiexec cannot be read", key) : 0;
}

/* A text that only the server of Starling's mpiexec has. */
static int get_text(const char *key, char *text, size_t len)
{
    char *reply;
    size_t n;
    int err = pmi_check_joined();

    if (!err && pmi_client.pmix)
        err = pmi_fail(-ENOENT, "the launcher (%s) is not Starling's mpiexec", pmi_client.launcher);
    if (!err)
        err = pmi_request(&reply, "get_result", "cmd=get kvsname=%s key=%s", pmi_client.kvs, key);
    if (err)
        return err;
    const char *value = pmi_line_field(reply, "value", &n);
    if (pmi_rc(reply) || !value)
        return pmi_fail(-ENOENT, "the launcher (%s) is not Starling's mpiexec",
                        pmi_client.launcher);
    return kvs_decode_value(key, value, n, text, len);
}

int pmi_settings(char *text, size_t len)
{
    static const char key[] = "STARLING_settings";
    const struct pmi_client *c = &pmi_client;

    return pmi_client.state == PMI_JOINED && c->has_settings
               ? kvs_decode_value(key, c->settings, strlen(c->settings), text, len)
               : get_text(key, text, len);
}

int pmi_program(char *text, size_t len) { return get_text("STARLING_program", text, len); }

enum { WHOLE = -1 };

/* Appends a page of what pmi_all() returns, or gets all of it; *more: another page follows. */
static int get_page(const char *prefix, int page, char **text, bool *more)
{
    char key[PMI_KEY_MAX + 1];
    size_t used = *text ? strlen(*text) : 0;
    char *room = realloc(*text, used + PMI_LINE_MAX);

    if (!room)
        return pmi_fail(-ENOMEM, "no memory for the values of all keys '%s...'", prefix);
    *text = room;
    room[used] = '\0';
    int len = page == WHOLE ? snprintf(key, sizeof key, "STARLING_all_%s", prefix)
                            : snprintf(key, sizeof key, "STARLING_page_%d_%s", page, prefix);
    if (page > PAGES_MAX || len >= (int) sizeof key)
        return pmi_fail(-EMSGSIZE, "the values of all keys '%s...' have no page %d", prefix, page);
    int err = get_text(key, room + used, PMI_LINE_MAX);
    if (err)
        return err;
    char *end = room + used + strlen(room + used);
    *more = page != WHOLE && end > room + used && end[-1] == '+';
    if (*more)
        end[-1] = '\0';
    return 0;
}

int pmi_all(const char *prefix, char **text)
{
    bool more;

    *text = NULL;
    if (pmi_client.state == PMI_JOINED && !pmi_client.starling)
        return pmi_fail(-ENOENT, "the launcher (%s) is not Starling's mpiexec",
                        pmi_client.launcher);
    int err = get_page(prefix, WHOLE, text, &more);
    if (err == -ENOENT) { /* it is too long for a line, or the server knows neither key */
        more = true;
        err = 0;
        for (int page = 0; more && !err; page++)
            err = get_page(prefix, page, text, &more);
    }
    if (err) {
        free(*text);
        *text = NULL;
    }
    return err;
}
