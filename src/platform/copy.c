/* copy.c — copies with non-temporal stores, which do not fill the cache. */
#include <string.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif
#include "platform/os.h"

#ifdef __x86_64__

static void copy_line(char *to, const char *from)
{
    const __m128i *f = (const void *) from;
    __m128i *t = (void *) to, a = _mm_loadu_si128(f), b = _mm_loadu_si128(f + 1),
            c = _mm_loadu_si128(f + 2), d = _mm_loadu_si128(f + 3);

    _mm_stream_si128(t, a);
    _mm_stream_si128(t + 1, b);
    _mm_stream_si128(t + 2, c);
    _mm_stream_si128(t + 3, d);
}

bool os_can_stream(void) { return true; }

void os_stream(void *to, const void *from, size_t len)
{
    size_t head = -(uintptr_t) to % OS_LINE, at = head < len ? head : len;

    memcpy(to, from, at);
    for (; at + OS_LINE <= len; at += OS_LINE)
        copy_line((char *) to + at, (const char *) from + at);
    memcpy((char *) to + at, (const char *) from + at, len - at);
    _mm_sfence();
}

#else

bool os_can_stream(void) { return false; }
void os_stream(void *to, const void *from, size_t len) { memcpy(to, from, len); }

#endif
