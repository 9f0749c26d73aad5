/* settings.c — the settings of progress. */
#include "progress_impl.h"

const struct setting progress_settings[] = {
    { "ASYNC_PROGRESS", SETTING_BOOL, &adi3_async, "no",
      "Whether a thread of the library moves messages while the program computes. The thread "
      "sleeps "
      "while there is nothing to do; all calls then take a lock." },
    { 0 }
};
