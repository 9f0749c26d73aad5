/* names.c — names of services, which processes of other jobs look up. */
#include "adi3/job/job_impl.h"
#include "pm/pmi/pmi.h"

static const char *name_server; /* the setting NAMESERVER */

const struct setting names_settings[] = {
    { "NAMESERVER", SETTING_STRING, &name_server, "",
      "The file of a server of names, mpiexec --serve-names FILE, which MPI_Publish_name and "
      "MPI_Lookup_name then use instead of the launcher: for processes of several mpiexecs, and "
      "without one. mpiexec -nameserver FILE sets it." },
    { 0 }
};

/* The answer takes some milliseconds, or is an error within seconds. */
int adi3_name_publish(const char *service, const char *port)
{
    assert(adi3_lock_held());
    pmi_name_server(name_server);
    return pmi_publish(service, port) ? adi3_error(MPI_ERR_SERVICE, "cannot publish '%.100s': %s",
                                                   service, pmi_error_text())
                                      : MPI_SUCCESS;
}

int adi3_name_unpublish(const char *service)
{
    assert(adi3_lock_held());
    pmi_name_server(name_server);
    return pmi_unpublish(service) ? adi3_error(MPI_ERR_SERVICE, "cannot unpublish '%.100s': %s",
                                               service, pmi_error_text())
                                  : MPI_SUCCESS;
}

int adi3_name_lookup(const char *service, char *port, size_t len)
{
    assert(adi3_lock_held());
    pmi_name_server(name_server);
    return pmi_lookup(service, port, len)
               ? adi3_error(MPI_ERR_NAME, "cannot look up '%.100s': %s", service, pmi_error_text())
               : MPI_SUCCESS;
}
