/* print_info.c — what starling_info prints: version, devices and settings of this library. */
#include <stdio.h>
#include <string.h>
#include "mpi/tool/starling_info.h"
#include "mpi/init/init.h"
#include "platform/os.h"
#include "platform/setting.h"

static const char *etc = "no installed file";

static void tool_print_error(const char *line) { fprintf(stderr, "starling_info: %s\n", line); }

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
    case SETTING_RENAMED: /* it is not listed */
        break;
    }
}

static void show_settings(void)
{
    const char *const from[] = { [SETTING_DEFAULT] = "",
                                 [SETTING_FILE] = etc,
                                 [SETTING_USER_FILE] = "the file STARLING_SETTINGS",
                                 [SETTING_ENVIRONMENT] = "the environment",
                                 [SETTING_MPIEXEC] = "mpiexec" };
    char value[256];

    printf("Settings, weakest first: default, %s, the file named by\n"
           "STARLING_SETTINGS, the environment, mpiexec -set NAME=VALUE.\n\n",
           etc);
    for (const struct setting *const *t = mpir_settings(); *t; t++) {
        for (const struct setting *s = *t; s->name; s++) {
            if (s->type == SETTING_RENAMED)
                continue;
            show_value(s, value, sizeof value);
            enum setting_source source = setting_source(s);
            printf("STARLING_%s=%s (default %s%s%s)\n    %s\n", s->name, value,
                   *s->fallback ? s->fallback : "empty", source ? ", from " : "", from[source],
                   s->doc);
        }
    }
}

int MPIR_Starling_info(int argc, char **argv)
{
    static char path[OS_PATH];
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    bool found = mpir_settings_file(path);
    int len;

    if (found)
        etc = path;
    setting_load(mpir_settings(), found ? path : NULL, NULL, tool_print_error);
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
    printf("libfabric: " STARLING_LIBFABRIC "\nhwloc: " STARLING_HWLOC "\nsettings: %s\n", etc);
    return 0;
}
