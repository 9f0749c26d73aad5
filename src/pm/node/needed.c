/* needed.c — whether a program needs the library of Open MPI.
 *
 * Its processes speak PMIx alone. Started by mpiexec, each would find no launcher and be rank 0 of
 * 1, and the job would compute wrong results. The libraries that a program names itself are read
 * here, not those of its libraries; what a script starts cannot be seen. The file may hold
 * anything: what is not as it should be ends the search. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <unistd.h>
#include "pm/node/pm_node_impl.h"

enum { SEGMENTS = 64, ENTRIES = 512, NAME = 64 }; /* more are not looked at */

struct elf {
    int fd;
    ElfW(Phdr) segment[SEGMENTS];
    size_t segments;
    ElfW(Dyn) entry[ENTRIES];
    size_t entries;
};

/* The number of bytes that are there. */
static size_t read_at(int fd, void *to, size_t len, uint64_t at)
{
    ssize_t n = at <= INT64_MAX ? pread(fd, to, len, (off_t) at) : -1;

    return n > 0 ? (size_t) n : 0;
}

/* Reads the segments of a program of this machine. */
static bool read_segments(struct elf *e)
{
    const ElfW(Half) own = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    const uint16_t one = 1;
    const int order = *(const char *) &one ? ELFDATA2LSB : ELFDATA2MSB;
    ElfW(Ehdr) h;

    if (read_at(e->fd, &h, sizeof h, 0) < sizeof h || memcmp(h.e_ident, ELFMAG, SELFMAG)
        || h.e_ident[EI_CLASS] != own || h.e_ident[EI_DATA] != order
        || h.e_phentsize != sizeof *e->segment)
        return false;
    size_t want = h.e_phnum < SEGMENTS ? h.e_phnum : SEGMENTS;
    e->segments =
        read_at(e->fd, e->segment, want * sizeof *e->segment, h.e_phoff) / sizeof *e->segment;
    return e->segments > 0;
}

static bool read_entries(struct elf *e)
{
    for (size_t i = 0; i < e->segments; i++) {
        const ElfW(Phdr) *s = &e->segment[i];
        size_t len = s->p_filesz < sizeof e->entry ? s->p_filesz : sizeof e->entry;
        if (s->p_type != PT_DYNAMIC)
            continue;
        e->entries = read_at(e->fd, e->entry, len, s->p_offset) / sizeof *e->entry;
        return e->entries > 0;
    }
    return false;
}

/* Where in the file the byte is that will have this address. */
static bool offset_of(const struct elf *e, uint64_t address, uint64_t *offset)
{
    for (size_t i = 0; i < e->segments; i++) {
        const ElfW(Phdr) *s = &e->segment[i];
        if (s->p_type != PT_LOAD || address < s->p_vaddr || address - s->p_vaddr >= s->p_filesz)
            continue;
        *offset = s->p_offset + (address - s->p_vaddr);
        return true;
    }
    return false;
}

/* Its libraries for C, C++ and Fortran: libmpi.so.40, libmpi_mpifh.so.40; .20 in the version 2.
 * MPICH's have the number 12. */
static bool is_of_open_mpi(const char *library)
{
    size_t len = strlen(library), end = strlen(".so.40");
    const char *version = len > end ? library + len - end : "";

    return !strncmp(library, "libmpi", 6)
           && (!strcmp(version, ".so.40") || !strcmp(version, ".so.20"));
}

bool pm_needs_open_mpi(int fd)
{
    struct elf e = { .fd = fd };
    uint64_t names = 0;
    bool found = false;

    if (!read_segments(&e) || !read_entries(&e))
        return false;
    for (size_t i = 0; i < e.entries && e.entry[i].d_tag != DT_NULL && !found; i++)
        found = e.entry[i].d_tag == DT_STRTAB && offset_of(&e, e.entry[i].d_un.d_ptr, &names);
    for (size_t i = 0; found && i < e.entries && e.entry[i].d_tag != DT_NULL; i++) {
        char name[NAME] = "";
        if (e.entry[i].d_tag != DT_NEEDED)
            continue;
        (void) read_at(fd, name, sizeof name - 1, names + e.entry[i].d_un.d_val);
        if (is_of_open_mpi(name))
            return true;
    }
    return false;
}

bool pm_is_of_open_mpi(const char *file)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is = fd >= 0 && pm_needs_open_mpi(fd);

    if (fd >= 0)
        (void) close(fd);
    return is;
}
