/* pm_pmi2.h — what the files of PMI-2 share: requests, replies, attributes of nodes. */
#ifndef PM_PMI2_H
#define PM_PMI2_H

#include "pm/server/pm_server_impl.h"

struct pm_request {
    struct pm_server_job *job;
    int rank;
    const char *command, *thrid; /* thrid is returned by the reply; empty: there is none */
    const char *body;            /* well-formed */
    char why[PM_WORD_MAX + 1];   /* the last error text of pm_read */
};

/* pmi2_message.c */

/* Checks that the body is "cmd=NAME;" with more fields of this form behind it. Copies the name. */
bool pm_body_command(const char *body, char *name, size_t len);

/* Copies the value of a field: NULL, or the error text of the reply when it is missing, too long
 * or given twice. A field that is missing has the value otherwise, unless that is NULL. */
const char *pm_read(struct pm_request *r, const char *field, char *value, size_t len,
                    const char *otherwise);

struct pm_field {
    const char *name, *value;
    size_t name_len, value_len; /* a value as it was sent, with its ';' doubled */
};
/* Takes a field from the front of the body: 1, 0 at the end, -EPROTO. */
int pm_next_field(const char **body, struct pm_field *f);
/* Copies a value without the doubling: 0 or -EMSGSIZE. */
int pm_field_value(const struct pm_field *f, char *value, size_t len);

/* Sends a reply with fields: name, value, name, value, ..., NULL. why: the error text, or NULL. */
void pm_answer(const struct pm_request *r, const char *why, ...) __attribute__((sentinel));

/* pmi2_attributes.c: attributes that ranks of one node put for each other. A put and a wait return
 * NULL, or the error text. */
const char *pm_attribute_put(const struct pm_request *r, const char *key, const char *value);
const char *pm_attribute_get(const struct pm_request *r, const char *key,
                             char text[PM_VALUE_MAX + 1]); /* has room for some of the values */

/* Replies when a rank puts the key, or when no other rank of the node can put it any more. */
const char *pm_attribute_wait(const struct pm_request *r, const char *key);

/* pmi2_spawn.c: spawn; NULL, or the error text. */
const char *pm_spawn_pmi2(struct pm_request *r);
/* spawn.c: replies to it, when the answer has come. */
void pm_spawn_body(const struct pm_request *r);

/* pmi2.c: the reply to a get. NULL: there is no such attribute. */
void pm_attribute_answer(const struct pm_request *r, const char *value);

#endif /* PM_PMI2_H */
