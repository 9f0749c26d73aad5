/* devices.c — selects devices by STARLING_DEVICES, and opens and closes them. */
#include <string.h>
#include "adi3/proc/proc_impl.h"

/* The next word of STARLING_DEVICES; NULL behind the last one. The first word is the list
 * itself. */
static const char *next_word(const char *word)
{
    word += strcspn(word, ",");
    return *word ? word + 1 : NULL;
}

/* The name of the device in a word: in chaos:shm it is shm, which chaos surrounds. */
static const char *device_in(const char *word)
{
    size_t around = strcspn(word, ",:");

    return word[around] == ':' ? word + around + 1 : word;
}

static const struct dev_ops *device_named(const char *name, size_t len)
{
    for (int i = 0; dev_table[i]; i++)
        if (strlen(dev_table[i]->name) == len && !strncmp(name, dev_table[i]->name, len))
            return dev_table[i];
    return NULL;
}

/* The first word of STARLING_DEVICES that names the device; NULL: no word does. */
static const char *word_for(const struct dev_ops *device)
{
    const char *w = *adi3_setting_devices ? adi3_setting_devices : NULL;

    while (w && device_named(device_in(w), strcspn(device_in(w), ",")) != device)
        w = next_word(w);
    return w;
}

/* Whether the setting selects the device. An empty list selects all; self is always selected,
 * since a process must reach itself. */
static bool is_selected(const struct dev_ops *device)
{
    bool always = !*adi3_setting_devices || !strcmp(device->name, "self");

    return !device->wrap && (always || word_for(device));
}

/* The device that STARLING_DEVICES puts around `device`, as chaos in chaos:shm; NULL: no device. */
static const struct dev_ops *wrapper_of(const struct dev_ops *device)
{
    const char *w = word_for(device), *in = w ? device_in(w) : NULL;

    return in == w ? NULL : device_named(w, (size_t) (in - w) - 1);
}

static int wrong_word(const char *word, const char *what)
{
    return adi3_error(MPI_ERR_OTHER, "STARLING_DEVICES=%s: '%.*s' %s", adi3_setting_devices,
                      (int) strcspn(word, ",:"), word, what);
}

static int check_word(const char *w)
{
    const char *in = device_in(w);
    const struct dev_ops *device = device_named(in, strcspn(in, ",")),
                         *outer = in == w ? NULL : device_named(w, (size_t) (in - w) - 1);

    if (in != w && !outer)
        return wrong_word(w, "is no device of this library");
    if (!device)
        return wrong_word(in, "is no device of this library");
    if (device->wrap)
        return wrong_word(in, "must surround another device, as in chaos:shm");
    if (outer && !outer->wrap)
        return wrong_word(w, "cannot surround a device");
    return word_for(device) == w ? MPI_SUCCESS : wrong_word(in, "is there twice");
}

int devices_check_setting(void)
{
    int err = MPI_SUCCESS;

    for (const char *w = *adi3_setting_devices ? adi3_setting_devices : NULL; w && !err;
         w = next_word(w))
        err = check_word(w);
    return err;
}

/* Fills the table of polls. */
static void set_polls(void)
{
    int n = 0;

    for (int i = 0; i < adi3_ndevs; i++)
        if (adi3_devs[i].ops->poll)
            adi3_polls[n++] = adi3_devs[i].ops->poll;
    adi3_polls[n] = NULL;
}

/* Says in words why a function of the device returned err; NULL when it is 0. */
static const char *why_failed(const struct adi3_dev *d, int err)
{
    const char *why = err && d->ops->why ? d->ops->why(NULL) : NULL;

    return err && !why ? strerror(-err) : why;
}

/* Loads the device if it is a module, surrounds it if the setting says so, and opens it. Returns
 * NULL, or a text that says why that failed. */
static const char *open_device(struct adi3_dev *d)
{
    const struct dev_ops *front = d->ops, *outer = wrapper_of(front);
    const char *why = NULL;

    if (front->load && !(d->ops = front->load(&why)))
        return why;
    if (d->ops->abi != DEV_ABI)
        return "its module is of another version of this library";
    if (outer && !(d->ops = outer->wrap(d->ops)))
        return "it cannot be surrounded";
    return why_failed(d, d->ops->open(&proc_env, d->endpoint));
}

static bool is_on_request(const struct dev_ops *device)
{
    return device->on_request && device->on_request();
}

/* Whether a second device of the library could reach other nodes. */
static bool has_rival(const struct dev_ops *device)
{
    struct dev_limits l;
    bool found = false;

    for (int i = 0; dev_table[i] && !found; i++)
        found = dev_table[i] != device && !dev_table[i]->wrap && !dev_table[i]->query(&l)
                && !l.node_only && !is_on_request(dev_table[i]);
    return found;
}

/* Whether the job can run without the device: the setting does not name it and it has a rival. */
static bool is_dispensable(const struct dev_ops *device)
{
    return !word_for(device) && has_rival(device);
}

static bool should_open(struct adi3_dev *d, bool node_only)
{
    return is_selected(d->ops) && !d->ops->query(&d->limits) && d->limits.node_only == node_only
           && !(is_on_request(d->ops) && is_dispensable(d->ops));
}

/* That a module cannot be loaded is an error only where the job cannot run without it. */
int devices_open(bool node_only)
{
    for (int i = 0; dev_table[i] && adi3_ndevs < ADI3_MAX_DEVICES; i++) {
        const struct dev_ops *device = dev_table[i];
        struct adi3_dev *d = &adi3_devs[adi3_ndevs];
        *d = (struct adi3_dev) { .ops = device, .place = i };
        if (!should_open(d, node_only))
            continue;
        const char *why = open_device(d);
        if (why && device->load && is_dispensable(device))
            continue;
        if (why)
            return adi3_error(MPI_ERR_OTHER, "device %s: %s", device->name, why);
        business_card_publish_here(adi3_ndevs++);
        set_polls();
    }
    return MPI_SUCCESS;
}

int devices_widen(void)
{
    int first = MPI_SUCCESS;

    for (int i = 0; i < adi3_ndevs; i++) {
        struct adi3_dev *d = &adi3_devs[i];
        const char *why = d->ops->widen ? why_failed(d, d->ops->widen(d->endpoint)) : NULL;
        d->narrow = why != NULL;
        int err = why ? adi3_error(MPI_ERR_OTHER, "device %s: %s", d->ops->name, why) : MPI_SUCCESS;
        if (!first)
            first = err;
    }
    return first;
}

void devices_close(void)
{
    for (int i = 0; i < adi3_ndevs; i++)
        adi3_devs[i].ops->close();
    adi3_ndevs = 0;
    set_polls();
}

void *dev_alloc_mem(size_t align, size_t len)
{
    for (int i = 0; i < adi3_ndevs; i++)
        if (adi3_devs[i].ops->alloc_mem)
            return adi3_devs[i].ops->alloc_mem(align, len);
    return NULL;
}

bool dev_free_mem(void *at)
{
    bool freed = false;

    for (int i = 0; i < adi3_ndevs && !freed; i++)
        freed = adi3_devs[i].ops->free_mem && adi3_devs[i].ops->free_mem(at);
    return freed;
}

void devices_forget_job(const struct proc_job *job)
{
    for (int i = 0; i < adi3_ndevs; i++)
        if (adi3_devs[i].ops->forget_job)
            adi3_devs[i].ops->forget_job(&job->dev);
}
