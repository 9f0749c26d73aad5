/* pm_framing.h — cuts the bytes of a connection into messages, without looking at their contents.
 *
 * A message of PMI-1 is a line. (PMI-2 would need one more function beside pm_framing_line: its
 * messages are a line and a body whose length the line gives.) */
#ifndef PM_FRAMING_H
#define PM_FRAMING_H

#include <stddef.h>

struct pm_framing {
    char *bytes;
    size_t len, capacity;
    size_t taken;   /* bytes at the front that were returned as messages */
    size_t scanned; /* bytes at the front, those taken included, without a newline */
};

/* Adds received bytes: 0 or -ENOMEM. Lines returned earlier are no longer valid. */
int pm_framing_add(struct pm_framing *f, const char *bytes, size_t len);

/* Returns the next line, terminated by NUL, without its newline. The result is 1; 0 when the line
 * is not complete yet; -EMSGSIZE when it is longer than PMI_LINE_MAX; -EBADMSG when it has a NUL
 * byte, and the line is skipped. */
int pm_framing_line(struct pm_framing *f, char **line);

void pm_framing_free(struct pm_framing *f);

#endif /* PM_FRAMING_H */
