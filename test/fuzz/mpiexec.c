/* mpiexec.c — the command line, files with options and a pattern of mpiexec. */
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>
#include "fuzz.h"
#include "pm/mpiexec/job/json.h"
#include "pm/mpiexec/options/option.h"
#include "pm/mpiexec/output/output_impl.h"

enum { WORDS = 200 };

static void warn(const char *fmt, ...) { MUST(fmt && *fmt); }

static void parse(char **args)
{
    struct pm_spec spec = { 0 };
    char why[512] = "";

    if (pm_parse(&spec, args, why, sizeof why, warn))
        MUST(*why && strlen(why) < sizeof why);
    else if (spec.action == PM_RUN) {
        MUST(spec.programs > 0);
        for (size_t i = 0; i < spec.programs; i++)
            MUST(spec.program[i].argv[0]);
        spec.size = 5;
        int shown = 0, err = pm_check_ranks(&spec, why, sizeof why);
        for (int rank = 0; rank < spec.size; rank++)
            shown += pm_shows_rank(&spec, rank);
        MUST(err ? *why : shown > 0);
    }
    pm_spec_free(&spec);
}

/* Whether words could name any file of this machine. */
static bool names_files(const char *text)
{
    return strstr(text, "configfile") || strstr(text, "-app") || strstr(text, "-file");
}

/* A word on each line. Files are the other case. */
static void arguments(char *text)
{
    char *args[WORDS + 1], *next = text;
    int n = 0;

    if (names_files(text))
        return;
    while (n < WORDS && next && *next) {
        args[n++] = next;
        if ((next = strchr(next, '\n')))
            *next++ = '\0';
    }
    args[n] = NULL;
    parse(args);
}

/* A file that an option names. */
static void file(char *option, const char *text)
{
    char path[64], program[] = "x";
    char *args[] = { option, path, program, NULL };

    if (names_files(text))
        return;
    int fd = memfd_create("options", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t) strlen(text));
    (void) snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    parse(args);
    (void) close(fd);
}

static void pattern(const char *text)
{
    const struct pm_place from = {
        .job = 1, .size = 9, .rank = 7, .host = "node", .node = 3, .stream = 1
    };

    for (size_t room = 1; room < 300; room = room * 3 + 1) {
        char *out = malloc(room);
        MUST(out && pm_pattern(text, &from, out, room) < room && strlen(out) < room);
        free(out);
    }
}

/* The string ends where it should, and has no byte that JSON does not allow. */
static void json(const char *text)
{
    char *out = NULL;
    size_t len, quotes = 0;
    FILE *f = open_memstream(&out, &len);

    MUST(f);
    pm_json_text(f, text);
    MUST(!fclose(f) && len >= 2 && *out == '"' && out[len - 1] == '"');
    for (size_t i = 0; i < len; i++) {
        MUST((unsigned char) out[i] >= ' ');
        if (out[i] == '\\')
            i++;
        else
            quotes += out[i] == '"';
    }
    MUST(quotes == 2);
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct feed f = { data, len };
    int which = feed_byte(&f) % 5;
    char *text = feed_text(&f), configfile[] = "-configfile", of_program[] = "-file";

    if (which == 0)
        arguments(text);
    else if (which == 1)
        file(configfile, text);
    else if (which == 3)
        file(of_program, text);
    else if (which == 4)
        json(text);
    else
        pattern(text);
    free(text);
    return 0;
}
