/* text.c — texts of errors: they name the provider and quote what it reports. */
#include <stdio.h>
#include <string.h>
#include "devices/libfabric/module/ofi_impl.h"

int ofi_errno(int err)
{
    err = err < 0 ? -err : err;
    return err > 0 && err < FI_ERRNO_OFFSET ? -err
                                            : -EIO; /* errors of libfabric itself begin there */
}

static const char *provider_name(void)
{
    return ofi_dev.info ? ofi_dev.info->fabric_attr->prov_name : "libfabric";
}

int ofi_error(const char *what, int err)
{
    (void) snprintf(ofi_dev.error_text, sizeof ofi_dev.error_text, "provider %s: %s: %s",
                    provider_name(), what, fi_strerror(err < 0 ? -err : err));
    return ofi_errno(err);
}

const char *ofi_error_text(const struct dev_peer *peer)
{
    const struct ofi_peer *p = peer ? peer->priv : NULL;
    const char *why = peer ? (p ? p->error_text : "") : ofi_dev.error_text;

    return *why ? why : NULL;
}

void ofi_cq_text(char out[OFI_TEXT], const struct fi_cq_err_entry *e)
{
    char detail[80] = "";

    if (e->prov_errno && e->err_data_size <= sizeof detail)
        (void) fi_cq_strerror(ofi_dev.cq, e->prov_errno, e->err_data, detail, sizeof detail);
    (void) snprintf(out, OFI_TEXT, "provider %s: %s%s%s", provider_name(), fi_strerror(e->err),
                    *detail ? ", " : "", detail);
}

/* Makes the text for a provider that is not available; it lists each available one once. */
int ofi_no_provider(struct fi_info *offered)
{
    char list[OFI_TEXT / 2] = "";

    for (const struct fi_info *i = offered; i; i = i->next) {
        const char *name = i->fabric_attr->prov_name;
        size_t used = strlen(list), len = strlen(name);
        const char *known = strstr(list, name);
        while (known && known[len] != ',' && known[len])
            known = strstr(known + 1, name);
        if (!known)
            (void) snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", name);
    }
    (void) snprintf(
        ofi_dev.error_text, sizeof ofi_dev.error_text,
        "OFI_PROVIDER=%s, OFI_DOMAIN=%s: libfabric has no such provider here; it has %s",
        ofi_dev.settings->provider, ofi_dev.settings->domain, *list ? list : "none that is usable");
    return -ENODEV;
}
