/* setting.c — settings files, and settings from mpiexec. */
#include <sys/mman.h>
#include <unistd.h>
#include "fuzz.h"
#include "platform/setting.h"

static int number;
static size_t size;
static bool yes;
static const char *word;

static const struct setting rows[] = {
    { "NUMBER", SETTING_INT, &number, "7", "" },
    { "SOME_SIZE", SETTING_SIZE, &size, "64k", "" },
    { "SWITCH", SETTING_BOOL, &yes, "no", "" },
    { "WORD", SETTING_STRING, &word, "none", "" },
    { 0 },
};

static void complain(const char *line) { MUST(line && *line); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    const struct setting *const tables[] = { rows, NULL };
    struct feed f = { data, len };
    char path[64], *text = feed_text(&f), *forwarded = strstr(text, "\n--\n");
    int fd = memfd_create("settings", MFD_CLOEXEC);

    MUST(fd >= 0 && write(fd, data, len) == (ssize_t) len);
    (void) snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    setting_load(tables, path, forwarded ? forwarded + 4 : NULL, complain);
    MUST(strlen(word) < 4096 && (yes == false || yes == true));
    for (const struct setting *s = rows; s->name; s++)
        (void) setting_source(s);
    setting_load(tables, NULL, NULL, complain); /* forgets the texts */
    (void) close(fd);
    free(text);
    return 0;
}
