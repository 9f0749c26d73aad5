/* tree_groups.h — groups that a process keeps: see tree_groups.c. */
#ifndef TREE_GROUPS_H
#define TREE_GROUPS_H

/* Keeps the group of a communicator now and then, and compares two that are kept. */
void tree_groups_check(void);
void tree_groups_free(void);

#endif /* TREE_GROUPS_H */
