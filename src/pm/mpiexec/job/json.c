/* json.c — texts of any bytes as JSON. */
#include <string.h>
#include "pm/mpiexec/job/json.h"

/* The length of the UTF-8 character that text begins with; 0: it is none. */
static size_t utf8_char_len(const unsigned char *text)
{
    static const struct {
        unsigned char first, last, from, to; /* of the first byte, and of the second */
        size_t len;
    } forms[] = {
        { 0x00, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
        { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (*text < forms[i].first || *text > forms[i].last)
            continue;
        if (forms[i].len > 1 && (text[1] < forms[i].from || text[1] > forms[i].to))
            return 0;
        for (size_t n = 2; n < forms[i].len; n++)
            if (text[n] < 0x80 || text[n] > 0xbf) /* the NUL at the end, too */
                return 0;
        return forms[i].len;
    }
    return 0;
}

void pm_json_text(FILE *f, const char *text)
{
    const unsigned char *at = (const unsigned char *) text;

    if (!text) {
        fputs("null", f);
        return;
    }
    fputc('"', f);
    for (size_t len; *at; at += len ? len : 1) {
        len = utf8_char_len(at);
        if (!len)
            fprintf(f, "\\udc%02x", *at);
        else if (*at < ' ' || *at == 0x7f)
            fprintf(f, "\\u%04x", *at);
        else if (*at == '"' || *at == '\\')
            fprintf(f, "\\%c", *at);
        else
            fwrite(at, 1, len, f);
    }
    fputc('"', f);
}

void pm_json_texts(FILE *f, char *const *list)
{
    fputc('[', f);
    for (size_t i = 0; list && list[i]; i++) {
        fputs(i ? ", " : "", f);
        pm_json_text(f, list[i]);
    }
    fputc(']', f);
}
