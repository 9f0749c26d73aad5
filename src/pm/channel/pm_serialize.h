/* pm_serialize.h — the payloads of frames that are more than one text. */
#ifndef PM_SERIALIZE_H
#define PM_SERIALIZE_H

#include "pm/seal/pm_bytes.h"
#include "pm/server/pm_hub.h"
#include "pm/node/pm_node.h"

/* Each pair adds a payload to a queue, or reads one. Errors: -ENOMEM, -EBADMSG. */

int pm_encode_plan(struct pm_bytes *q, const struct pm_plan *plan);
/* A plan with all that it points to, for pm_decoded_plan_free(); NULL with errno. */
struct pm_plan *pm_decode_plan(const char *bytes, size_t len);
void pm_decoded_plan_free(struct pm_plan *plan);

int pm_encode_words(struct pm_bytes *q, char *const *words);
/* The words are in bytes; the array is for free(). NULL with errno. */
char *const *pm_decode_words(const char *bytes, size_t len);

int pm_encode_start(struct pm_bytes *q, const struct pm_start *start);
/* Texts of *start point into bytes. */
int pm_decode_start(const char *bytes, size_t len, struct pm_start *start);

int pm_encode_ready(struct pm_bytes *q, const char *host, const char *topology);
/* The texts are in bytes; topology: NULL when there is none. */
int pm_decode_ready(const char *bytes, size_t len, const char **host, const char **topology);

int pm_encode_refusal(struct pm_bytes *q, const struct pm_refusal *why);
int pm_decode_refusal(const char *bytes, size_t len, struct pm_refusal *why);

int pm_encode_job(struct pm_bytes *q, const struct pm_server_config *config, int universe);
/* Texts of *config point into bytes; its arrays are for pm_decoded_job_free(). */
int pm_decode_job(const char *bytes, size_t len, struct pm_server_config *config, int *universe);
void pm_decoded_job_free(struct pm_server_config *config);

int pm_encode_note(struct pm_bytes *q, const struct pm_note *note);
int pm_decode_note(const char *bytes, size_t len, struct pm_note *note); /* points into bytes */

#endif /* PM_SERIALIZE_H */
