/* graph_use.h — the graph of a process, and what it does with an object: see graph_use.c. */
#ifndef GRAPH_USE_H
#define GRAPH_USE_H

#include "graph_model.h"

extern struct graph graph;

void graph_use_begin(void); /* after graph_begin() */
/* With JOBS_TELL in the environment, each member prints what happens to the object. */
void graph_tell(const char *what, const struct graph_object *o);
void graph_use(const struct graph_object *o);
void graph_use_or_make(const struct graph_object *o); /* what of it is drawn */
void graph_merge(const struct graph_object *inter);
void graph_window(const struct graph_object *o);
/* Disconnects, or closes. frees: communicators may be freed instead; true: this one was. */
bool graph_let_go(int at, bool frees);

#endif /* GRAPH_USE_H */
