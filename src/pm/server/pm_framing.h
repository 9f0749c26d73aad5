/* pm_framing.h — cuts the bytes of a connection into messages, without looking at their contents.
 *
 * A message of PMI-1 is a line. One of PMI-2 is a body behind its length: six bytes with a decimal
 * number, filled with blanks on either side. A connection may change from one to the other after
 * each message. */
#ifndef PM_FRAMING_H
#define PM_FRAMING_H

#include <stddef.h>

enum { PM_FRAMING_LENGTH = 6 }; /* bytes of the length in front of a body */

struct pm_framing {
    char *bytes;
    size_t len, capacity;
    size_t taken;   /* bytes at the front that were returned as messages */
    size_t scanned; /* bytes at the front, those taken included, without a newline */
};

/* Adds received bytes: 0 or -ENOMEM. Messages returned earlier are no longer valid. */
int pm_framing_add(struct pm_framing *f, const char *bytes, size_t len);

/* Returns the next line, terminated by NUL, without its newline. The result is 1; 0 when the line
 * is not complete yet; -EMSGSIZE when it is longer than PMI_LINE_MAX; -EBADMSG when it has a NUL
 * byte, and the line is skipped. */
int pm_framing_line(struct pm_framing *f, char **line);

/* Returns the next body, terminated by NUL. The result is as of pm_framing_line, and -EPROTO when
 * the first six bytes are no length: where the next message begins is then not known. */
int pm_framing_body(struct pm_framing *f, char **body);

void pm_framing_free(struct pm_framing *f);

#endif /* PM_FRAMING_H */
