/* output.c — the standard output of the program.
 *
 * Launchers give a rank a pipe or a file, and then libc keeps its output until a block is full:
 * lines appear late, and those before a crash or the end of the job by another rank are lost. */
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <wchar.h>
#include "adi3/job/job_impl.h"

/* glibc makes a buffer of this size with the first output. */
static size_t default_size(const struct stat *s)
{
    return s->st_blksize > 0 && s->st_blksize < BUFSIZ ? (size_t) s->st_blksize : BUFSIZ;
}

/* The stream has an orientation when something has been written. A buffer that is there before, or
 * that has another size, has been chosen: by setvbuf(), or from outside, by stdbuf(1). */
static bool is_buffer_chosen(const struct stat *s)
{
    size_t size = __fbufsize(stdout);

    return __flbf(stdout) || (size && (!fwide(stdout, 0) || size != default_size(s)));
}

/* A stream with output gets a new buffer: in the old one, a newline that putchar() writes would
 * still not be seen. What it holds is written. */
static void set_line_buffering(void)
{
    char *buffer = __fbufsize(stdout) ? malloc(BUFSIZ) : NULL;

    if (buffer || !__fbufsize(stdout))
        (void) setvbuf(stdout, buffer, _IOLBF, buffer ? BUFSIZ : 0); /* stdout keeps it */
}

void output_buffer_lines(void)
{
    struct stat s;

    if (ftrylockfile(stdout)) /* another thread is printing, maybe for long */
        return;
    if (!fstat(fileno(stdout), &s) && !S_ISCHR(s.st_mode) && !is_buffer_chosen(&s))
        set_line_buffering();
    funlockfile(stdout);
}

void output_flush(void)
{
    if (ftrylockfile(stdout))
        return;
    (void) fflush(stdout);
    funlockfile(stdout);
}
