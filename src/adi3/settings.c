/* settings.c — ADI3's own settings, and the tables of the devices beside them. */
#include "adi3_impl.h"
#include "setting.h"

const char *adi3_setting_devices;
size_t proto_credit;

static const struct setting own[] = {
    { "DEVICES", SETTING_STRING, &adi3_setting_devices, "",
      "Devices that may be used, parted by commas, such as self,shm; empty for all that are built "
      "in." },
    { "EAGER_CREDIT", SETTING_SIZE, &proto_credit, "1m",
      "Bytes of messages that nobody has received yet which one sender may leave at a receiver; "
      "beyond it, it waits until they are asked for." },
    { 0 }
};

enum { MAX_TABLES = 2 + ADI3_MAX_DEVICES };

const struct setting *const *adi3_settings(void)
{
    static const struct setting *table[MAX_TABLES];
    int n = 0;

    table[n++] = own;
    for (int i = 0; dev_table[i] && n < MAX_TABLES - 1; i++)
        if (dev_table[i]->settings)
            table[n++] = dev_table[i]->settings;
    table[n] = NULL;
    return table;
}
