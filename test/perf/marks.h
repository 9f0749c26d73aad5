/* marks.h — marks the measured part for callgrind; without valgrind the marks do nothing. */
#ifndef MARKS_H
#define MARKS_H

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif

#ifdef CALLGRIND_DUMP_STATS_AT
enum { MARKS = 1 };
/* A dump, not CALLGRIND_ZERO_STATS, which leaves something behind. */
static inline void mark_begin(void) { CALLGRIND_DUMP_STATS_AT("before"); }
static inline void mark_end(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
#else
enum { MARKS = 0 };
static inline void mark_begin(void) {}
static inline void mark_end(const char *name) { (void) name; }
#endif

#endif /* MARKS_H */
