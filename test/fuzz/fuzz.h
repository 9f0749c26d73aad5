/* fuzz.h — what the fuzz targets share. Each is one function that libFuzzer calls with bytes it
 * made up, and that replay.c calls with those of the corpus: it must not crash, hang or leak. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* What must hold whatever the bytes are. */
#define MUST(c)                                                                                    \
    do {                                                                                           \
        if (!(c)) {                                                                                \
            (void) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #c);                         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* The bytes, taken from the front; 0 when there are no more. */
struct feed {
    const uint8_t *at;
    size_t left;
};

static inline uint8_t feed_byte(struct feed *f) { return f->left ? f->left--, *f->at++ : 0; }

/* Up to len bytes: how many there are. */
static inline size_t feed_bytes(struct feed *f, size_t len, const uint8_t **bytes)
{
    size_t n = len < f->left ? len : f->left;

    *bytes = f->at;
    f->at += n;
    f->left -= n;
    return n;
}

/* All that is left as a text, which the caller frees. */
static inline char *feed_text(struct feed *f)
{
    char *text = malloc(f->left + 1);

    MUST(text);
    memcpy(text, f->at, f->left);
    text[f->left] = '\0';
    f->left = 0;
    return text;
}

#endif /* FUZZ_H */
