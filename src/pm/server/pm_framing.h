/* pm_framing.h — from bytes to messages, whatever the messages say.
 *
 * PMI-1 frames by newline. (PMI-2 begins with a line too and goes on with counted bodies: one more
 * function beside pm_framing_line.) */
#ifndef PM_FRAMING_H
#define PM_FRAMING_H

#include <stddef.h>

struct pm_framing {
    char *bytes;
    size_t len, capacity;
    size_t taken;   /* taken as messages */
    size_t scanned; /* holds no newline */
};

/* Adds what arrived: 0 or -ENOMEM. Lines taken before it are no longer valid. */
int pm_framing_add(struct pm_framing *f, const char *bytes, size_t len);

/* Takes the next line, terminated, without its newline: 1, or 0 when it has not come yet, or
 * -EMSGSIZE when it is longer than PMI_LINE_MAX, or -EBADMSG when it has a NUL byte (and is
 * skipped). */
int pm_framing_line(struct pm_framing *f, char **line);

void pm_framing_free(struct pm_framing *f);

#endif /* PM_FRAMING_H */
