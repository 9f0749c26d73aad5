/* help.c — prints the help text, which is made from the table of options. */
#include <stdio.h>
#include <string.h>
#include "option.h"

enum { INDENT = 24, WIDTH = 79 };

/* Prints a sentence from column INDENT on, without exceeding WIDTH. */
static void wrap(const char *text)
{
    size_t column = INDENT;

    for (size_t n; *text; text += n + (text[n] == ' ')) {
        n = strcspn(text, " ");
        if (column + 1 + n > WIDTH) {
            printf("\n%*s", INDENT, "");
            column = INDENT;
        } else if (column > INDENT) {
            printf(" ");
            column++;
        }
        printf("%.*s", (int) n, text);
        column += n;
    }
    printf("\n");
}

static void show(const struct pm_option *o)
{
    size_t len = strcspn(o->names, " ");
    size_t used = 3 + len + (*o->params ? 1 + strlen(o->params) : 0);

    printf("  -%.*s%s%s", (int) len, o->names, *o->params ? " " : "", o->params);
    printf("%*s", used < INDENT - 1 ? INDENT - (int) used : 0, "");
    if (used >= INDENT - 1)
        printf("\n%*s", INDENT, "");
    wrap(o->help);
    if (!o->names[len])
        return;
    printf("%*sAlso:", INDENT, "");
    for (const char *at = o->names + len; *at; at += len) {
        len = 1 + strcspn(at + 1, " ");
        printf(" -%.*s", (int) len - 1, at + 1);
    }
    printf("\n");
}

static void show_scope(enum pm_scope scope)
{
    for (const struct pm_option *o = pm_options; o->names; o++)
        if (o->help && o->scope == scope)
            show(o);
}

static void show_hosts(void)
{
    printf("\n"
           "Hosts: HOSTS is a list such as a,b:4,me@c,node[01-12]:2,[fe80::1]:4, where the\n"
           "number behind the colon is how many ranks the host has room for, its slots. A file\n"
           "for -f has a host on each line, 'a:4', or 'a slots=4 max_slots=8 user=me\n"
           "arch=x86_64 binding=core'; '#' begins a comment. What is behind binding= stands for\n"
           "-bind-to on that host. A host without a number has one slot. When a host is named\n"
           "several times, its slots add up. The environment variables HYDRA_HOST_FILE and\n"
           "HYDRA_RMK stand for -f and -rmk. A job may have more ranks than\n"
           "slots, unless its hosts have max_slots. Without -n, a program has a rank for each\n"
           "slot of the hosts, or one rank where no hosts are given.\n");
    printf(
        "\nOther hosts are reached by ssh, without a password: mpiexec calls 'ssh -x -o "
        "BatchMode=yes -o\nConnectTimeout=10 HOST', with -l USER where that is given, and words of "
        "HYDRA_LAUNCHER_EXTRA_ARGS\nor HYDRA_LAUNCH_EXTRA_ARGS before HOST. On HOST it runs "
        "DIR/bin/mpiexec of "
        "-prefix DIR, or itself\nby the path that it was called by or has here. HYDRA_LAUNCHER and "
        "HYDRA_LAUNCHER_EXEC stand for\n-launcher and -launcher-exec. Ranks there get all "
        "variables of "
        "mpiexec but those of a host or a\nlogin, as HOME, HOSTNAME, DISPLAY and SSH_*, which they "
        "have "
        "from their login, and run in the\nworking directory of mpiexec, or in that of -wdir. "
        "Lines that "
        "a host or ssh prints begin with the\nname of the host.\n");
}

void pm_help(const struct pm_option *o)
{
    if (o && o->help) {
        show(o);
        return;
    }
    printf("Usage: mpiexec [options] program [arguments] [: [options] program [arguments]]...\n"
           "\nStarts the processes of an MPI job. An option may have one dash or two, "
           "and '='\nbefore its argument.\n"
           "\nOptions for the program that follows:\n");
    show_scope(PM_PROGRAM);
    printf("\nOptions for the whole job:\n");
    show_scope(PM_JOB);
    show_hosts();
    printf(
        "\nBindings: a rank may use the CPUs that it is bound to, and no others, of those that the "
        "mask\nand the cgroup of mpiexec allow on its host. The ranks of a host get the cores, or "
        "what WHERE\nnames, one after the other, and with more ranks than that from the first on "
        "again. With -map-by\nsocket the first rank gets cores of the first socket, the second "
        "rank of the second, and so on.\nA rank never gets fewer CPUs than its OMP_NUM_THREADS, "
        "but with user:, which lists sets of CPUs.\nFor a part that a machine does not have, the "
        "next larger one is taken. A rank that cannot be\nbound runs all the same, and a line says "
        "so. HYDRA_BINDING, HYDRA_MAPPING, HYDRA_MEMBIND and\nHYDRA_TOPO_DEBUG=1 stand for "
        "-bind-to, -map-by, -membind and -report-bindings.\n"
        "\n-report-bindings prints lines such as 'rank 3 on node1: CPUs 6-7 "
        "[../..|../BB][../..|--/--]': each\npair of brackets is a socket, its cores are between "
        "slashes, or bars where another NUMA node\nbegins, and a core has a letter for each "
        "hardware thread: B when the rank is bound to it, '.' when\nit could be, '-' when no rank "
        "may use it.\n");
    printf(
        "\nWhere standard output of mpiexec is a terminal, ranks find one, too, as wide as that. "
        "Elsewhere\nthey have pipes; the MPI library then writes each line at its end, unless the "
        "program or stdbuf has\nchosen a buffer, and mpiexec sets "
        "GFORTRAN_UNBUFFERED_PRECONNECTED=y and PYTHONUNBUFFERED=1,\nunless they are set.\n");
    printf(
        "\nProcesses that the ranks have started end with the job, in whatever session they are. "
        "mpiexec\nconsists of two processes, mpiexec and starling-job: when one is killed, the "
        "other ends the job.\nWhen both are killed at once, the ranks end, but processes that they "
        "have started may stay.\n");
    printf(
        "\nOther environment variables: MPIEXEC_TIMEOUT, HYDRA_DEBUG=1 and HYDRA_IFACE stand for "
        "-timeout, -v\nand -iface. srun's proxies connect to mpiexec, at any port or one of "
        "MPIEXEC_PORT_RANGE=LOW:HIGH.\n");
    printf(
        "\nThe exit code is that of the first rank that failed, 128 + the signal that killed it,\n"
        "or the code given to MPI_Abort. The last line on standard error says which rank and "
        "why.\n");
}
