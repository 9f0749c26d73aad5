/* starling_info.c — the program that tells what this library is and what can be set.
 *
 * starling_info            version, build and devices
 * starling_info --settings every setting: name, default, present value and where it is from */
#include <stdio.h>
#include <string.h>
#include "core.h"
#include "setting.h"

static void complain(const char *line) { fprintf(stderr, "starling_info: %s\n", line); }

static void show_value(const struct setting *s, char *text, size_t len)
{
    switch (s->type) {
    case SETTING_INT:
        snprintf(text, len, "%d", *(const int *) s->value);
        break;
    case SETTING_SIZE:
        snprintf(text, len, "%zu", *(const size_t *) s->value);
        break;
    case SETTING_BOOL:
        snprintf(text, len, "%s", *(const bool *) s->value ? "yes" : "no");
        break;
    case SETTING_STRING:
        snprintf(text, len, "%s", *(const char *const *) s->value);
        break;
    }
}

static void show_settings(void)
{
    static const char *const from[] = { [SETTING_DEFAULT] = "",
                                        [SETTING_FILE] = (", from " STARLING_ETC),
                                        [SETTING_USER_FILE] = ", from the file STARLING_SETTINGS",
                                        [SETTING_ENVIRONMENT] = ", from the environment",
                                        [SETTING_MPIEXEC] = ", from mpiexec" };
    char value[256];

    printf("Settings, weakest first: default, " STARLING_ETC ", the file named by\n"
           "STARLING_SETTINGS, the environment, mpiexec -set NAME=VALUE.\n\n");
    for (const struct setting *const *t = mpir_settings(); *t; t++) {
        for (const struct setting *s = *t; s->name; s++) {
            show_value(s, value, sizeof value);
            printf("STARLING_%s=%s (default %s%s)\n    %s\n", s->name, value,
                   *s->fallback ? s->fallback : "empty", from[setting_source(s)], s->doc);
        }
    }
}

int main(int argc, char **argv)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int len;

    setting_load(mpir_settings(), STARLING_ETC, NULL, complain);
    if (argc > 1 && !strcmp(argv[1], "--settings")) {
        show_settings();
        return 0;
    }
    if (argc > 1) {
        fprintf(stderr, "usage: starling_info [--settings]\n");
        return 1;
    }
    (void) PMPI_Get_library_version(version, &len);
    printf("%s\n", version);
    return 0;
}
