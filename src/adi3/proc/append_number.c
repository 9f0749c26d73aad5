/* append_number.c — numbers in texts that are written without stdio. */
#include <string.h>
#include "adi3/proc/proc_impl.h"

void text_append_number(char *text, int n)
{
    char digits[12], *d = digits + sizeof digits;
    size_t used = strlen(text);

    for (*--d = '\0'; d == digits + sizeof digits - 1 || n; n /= 10)
        *--d = (char) ('0' + n % 10);
    memcpy(text + used, d, strlen(d) + 1);
}
