/* replay.c — the corpus once more, without libFuzzer: replay DIRECTORY. */
#include <dirent.h>
#include "fuzz.h"

static void replay(const char *directory, const char *name)
{
    char path[4096];

    (void) snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "rb");
    MUST(f && !fseek(f, 0, SEEK_END));
    long len = ftell(f);
    MUST(len >= 0);
    uint8_t *data = malloc((size_t) len + 1); /* so that the sanitizer sees its end */
    rewind(f);
    MUST(data && fread(data, 1, (size_t) len, f) == (size_t) len);
    (void) fclose(f);
    uint8_t *exact = realloc(data, len ? (size_t) len : 1);
    MUST(exact);
    (void) LLVMFuzzerTestOneInput(exact, (size_t) len);
    free(exact);
}

int main(int argc, char **argv)
{
    DIR *d = opendir(argc > 1 ? argv[1] : "");
    int files = 0;

    MUST(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        replay(argv[1], e->d_name);
        files++;
    }
    (void) closedir(d);
    MUST(files > 0);
    return 0;
}
