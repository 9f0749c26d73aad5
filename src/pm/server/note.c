/* note.c — the texts in the bytes of a note, which is a message between the hub of a node and the
 * root: see pm_hub.h. */
#include <string.h>
#include "pm/server/pm_server_impl.h"

const char *pm_note_text(struct pm_note *note)
{
    const char *text = note->bytes, *end = note->len ? memchr(text, '\0', note->len) : NULL;

    if (!end)
        return NULL;
    note->bytes = end + 1;
    note->len -= (size_t) (note->bytes - text);
    return text;
}

bool pm_note_is_of(const struct pm_server_job *j, int node, int rank)
{
    return rank >= 0 && rank < j->size && j->node[rank] == node;
}
