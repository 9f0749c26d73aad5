/* json.h — texts of any bytes as JSON. */
#ifndef JSON_H
#define JSON_H

#include <stdio.h>

/* Writes a string, or null for NULL. A byte that is not UTF-8 becomes the lone surrogate U+DC00 +
 * byte, as in Python's surrogateescape. */
void pm_json_text(FILE *f, const char *text);
void pm_json_texts(FILE *f, char *const *list); /* an array; list ends in NULL, or is NULL */

#endif /* JSON_H */
