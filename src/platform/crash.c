/* crash.c — tells where this process was when a signal ends it.
 *
 * The handler calls nothing that a crash may have left locked, but dladdr1(), whose lock one thread
 * may take twice; backtrace() has been called before, which loads what it needs. Then the signal
 * ends the process as it would have without the handler: with the same status, and a core file of
 * the same place. */
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include "platform/os.h"

enum { FRAMES = 64, TEXT = 24 << 10, PREFIX = 400, STACK = 64 << 10 };

static const struct {
    int number;
    const char *name;
    bool has_address; /* of memory */
} crash[] = { { SIGSEGV, "SIGSEGV (Segmentation fault)", true },
              { SIGBUS, "SIGBUS (Bus error)", true },
              { SIGFPE, "SIGFPE (Floating point exception)", false },
              { SIGILL, "SIGILL (Illegal instruction)", false },
              { SIGABRT, "SIGABRT (Aborted)", false } };

enum { SIGNALS = sizeof crash / sizeof *crash };

static char prefix[PREFIX];

static struct report {
    char text[TEXT];
    size_t len;
} report;

static void put_text(const char *text)
{
    size_t n = strnlen(text, TEXT - report.len);

    memcpy(report.text + report.len, text, n);
    report.len += n;
}

static void put_hex(uintptr_t x)
{
    char digits[2 * sizeof x + 1], *at = digits + sizeof digits - 1;

    *at = '\0';
    do
        *--at = "0123456789abcdef"[x & 15];
    while (x >>= 4);
    put_text("0x");
    put_text(at);
}

/* A line: its address; the function, if its name is known; and the file, with what addr2line takes.
 * after: it is where a call returns to, perhaps behind the end of the function. */
static void put_frame(void *address, bool after)
{
    uintptr_t at = (uintptr_t) address;
    struct link_map *file = NULL;
    Dl_info d = { .dli_fname = NULL };
    bool found = dladdr1((void *) (at - after), &d, (void **) &file, RTLD_DL_LINKMAP) && file;

    put_text(prefix);
    put_text("  ");
    put_hex(at);
    if (found && d.dli_sname) {
        put_text(" ");
        put_text(d.dli_sname);
        put_text("+");
        put_hex(at - (uintptr_t) d.dli_saddr);
    }
    if (found && d.dli_fname) {
        put_text(" (");
        put_text(d.dli_fname);
        put_text("+");
        put_hex(at - after - file->l_addr);
        put_text(")");
    }
    put_text("\n");
}

/* Where the signal came: the instruction, and where a call of the program has put the address that
 * it returns to. NULL where this is not known. */
struct place {
    void *instruction;
    void *const *caller;
};

static struct place place_of(const ucontext_t *c)
{
#if defined(__x86_64__)
    return (struct place) { (void *) c->uc_mcontext.gregs[REG_RIP],
                            (void *const *) c->uc_mcontext.gregs[REG_RSP] };
#elif defined(__aarch64__)
    return (struct place) { (void *) c->uc_mcontext.pc,
                            (void *const *) (const void *) &c->uc_mcontext.regs[30] };
#else
    (void) c;
    return (struct place) { NULL, NULL };
#endif
}

/* The frames of the handler come first, and then the one that was interrupted. That is missing when
 * the program has called what is no code. */
static void put_frames(struct place p)
{
    void *frame[FRAMES];
    int n = backtrace(frame, FRAMES), first = 0;

    while (first < n && frame[first] != p.instruction)
        first++;
    if (p.caller)
        put_frame(p.instruction, false);
    if (p.caller && first == n)
        put_frame(*p.caller, true);
    for (int i = p.caller ? first + 1 : 0; i < n; i++)
        put_frame(frame[i], true);
}

static void crash_handle(int signal, siginfo_t *info, void *context)
{
    for (int i = 0; i < SIGNALS; i++) {
        if (crash[i].number != signal)
            continue;
        put_text(prefix);
        put_text(crash[i].name);
        if (crash[i].has_address && info->si_code > 0) {
            put_text(" at address ");
            put_hex((uintptr_t) info->si_addr);
        }
        put_text(", in\n");
    }
    put_frames(place_of(context));
    (void) !write(STDERR_FILENO, report.text, report.len);
    if (info->si_code <= 0) /* else the same instruction raises it again */
        (void) raise(signal);
}

/* A stack that has overflowed has no room for the handler. */
static void make_stack(void)
{
    stack_t now;

    if (sigaltstack(NULL, &now) || !(now.ss_flags & SS_DISABLE))
        return;
    void *mem = os_map(-1, STACK);
    if (mem)
        (void) sigaltstack(&(stack_t) { .ss_sp = mem, .ss_size = STACK }, NULL);
}

void os_report_crashes(const char *before)
{
    struct sigaction mine = { .sa_sigaction = crash_handle,
                              .sa_flags = (int) (SA_SIGINFO | SA_ONSTACK | SA_RESETHAND) };
    struct sigaction old;
    void *frame[1];

    (void) snprintf(prefix, sizeof prefix, "%s", before);
    (void) backtrace(frame, 1);
    make_stack();
    for (int i = 0; i < SIGNALS; i++)
        if (!sigaction(crash[i].number, NULL, &old) && !(old.sa_flags & SA_SIGINFO)
            && old.sa_handler == SIG_DFL)
            (void) sigaction(crash[i].number, &mine, NULL);
}
