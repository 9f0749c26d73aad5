/* file.c — host files: a host on each line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/hosts/pm_hosts_impl.h"

enum { FILE_MAX = 1 << 24 };

static char *read_all(FILE *f, size_t *len)
{
    char *text = NULL;

    *len = 0;
    for (size_t room = 0;;) {
        if (*len + 1 >= room) {
            room = room * 2 + 4096;
            char *more = realloc(text, room);
            if (!more)
                break;
            text = more;
        }
        size_t n = fread(text + *len, 1, room - 1 - *len, f);
        *len += n;
        text[*len] = '\0';
        if (!n && !ferror(f))
            return text;
        if (*len > FILE_MAX)
            errno = EFBIG;
        if (!n || *len > FILE_MAX)
            break;
    }
    free(text);
    return NULL;
}

char *pm_read_text(const char *path, size_t *len)
{
    FILE *f = fopen(path, "re");

    if (!f)
        return NULL;
    char *text = read_all(f, len);
    int err = errno;
    (void) fclose(f);
    errno = err;
    return text;
}

int pm_each_line(struct pm_hosts *h, const char *path, int (*found)(struct pm_hosts *h, char *line))
{
    size_t left, width;
    char *text = pm_read_text(path, &left), *line = text;
    int err = 0;

    if (!text)
        return pm_hosts_refuse(h, "cannot read '%.200s': %s", path, strerror(errno));
    pm_hosts_at(h, path, 1);
    for (; left && !err; line += width, left -= width, h->line++) {
        char *end = memchr(line, '\n', left);
        width = end ? (size_t) (end - line) + 1 : left;
        if (end)
            *end = '\0';
        if (strlen(line) < width - (end != NULL)) {
            err = pm_hosts_refuse(h, "a byte is 0: this is not a text");
            break;
        }
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, " \t\r\f\v")])
            err = found(h, line);
    }
    free(text);
    h->line = 0;
    if (!err && !h->count)
        err = pm_hosts_refuse(h, "no hosts are in this file");
    return err;
}

static int read_slots(struct pm_hosts *h, struct pm_host_entry *e, char *value)
{
    if (e->slots)
        return pm_hosts_refuse(h, "host '%.80s': two numbers of slots", e->name);
    return pm_parse_slots(h, e->name, "slots", value, &e->slots);
}

static int read_max_slots(struct pm_hosts *h, struct pm_host_entry *e, char *value)
{
    return pm_parse_slots(h, e->name, "max_slots", value, &e->max_slots);
}

static int read_user(struct pm_hosts *h, struct pm_host_entry *e, char *value)
{
    e->user = value;
    if (*value == '-')
        return pm_hosts_refuse(h, "host '%.80s': user '%.80s' begins with '-'", e->name, value);
    return pm_check_value(h, e->name, "user", value);
}

static int read_arch(struct pm_hosts *h, struct pm_host_entry *e, char *value)
{
    e->arch = value;
    return pm_check_value(h, e->name, "arch", value);
}

static int read_binding(struct pm_hosts *h, struct pm_host_entry *e, char *value)
{
    e->binding = value;
    e->line = h->line;
    return pm_check_value(h, e->name, "binding", value);
}

static const struct {
    const char *name;
    int (*read)(struct pm_hosts *h, struct pm_host_entry *e, char *value);
} words[] = { { "slots", read_slots },         { "max_slots", read_max_slots },
              { "max-slots", read_max_slots }, { "user", read_user },
              { "arch", read_arch },           { "binding", read_binding } };

static int read_word(struct pm_hosts *h, struct pm_host_entry *e, char *word)
{
    size_t len = strcspn(word, "=");

    for (size_t i = 0; word[len] && i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].name) == len && !memcmp(words[i].name, word, len))
            return words[i].read(h, e, word + len + 1);
    return pm_hosts_refuse(h,
                           "host '%.80s': '%.80s' is none of slots=N, max_slots=N, user=NAME, "
                           "arch=NAME and binding=SPEC",
                           e->name, word);
}

static int read_line(struct pm_hosts *h, char *line)
{
    static const char blanks[] = " \t\r\f\v";
    struct pm_host_entry e;
    char *save, *word = strtok_r(line, blanks, &save);
    int err = pm_parse_host(h, word, &e);

    while (!err && (word = strtok_r(NULL, blanks, &save)))
        err = read_word(h, &e, word);
    if (!err)
        err = pm_hosts_add(h, &e);
    return err;
}

int pm_hosts_from_file(struct pm_hosts *h, const char *path)
{
    pm_hosts_at(h, NULL, 0);
    return pm_each_line(h, path, read_line);
}
