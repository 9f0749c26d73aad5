/* give_way.c — a program that polls gives up the core now and then. */
#include "adi3/rma/epoch/epoch_impl.h"

enum { POLLS = 1024 }; /* between yields: one costs about 100, a time slice is 100000 */

void adi3_win_give_way(void)
{
    static unsigned polls;

    if (++polls % POLLS == 0)
        os_yield();
}
