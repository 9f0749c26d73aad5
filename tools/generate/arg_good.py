"""Right arguments for gen_arg_tests.py, and the objects that they need.

A row begins with two regular expressions: one for the function, without "MPI_", and one for the
parameter, written as "type *name[]" without const.  The first row that matches is used.

With these arguments a call would succeed in one process, on MPI_COMM_SELF, in the right state: with
a message to receive, a file to open, an access epoch.  No such call is made: each has one wrong
argument, and arguments are checked first."""

# Functions that are not called with bad arguments.
NOT_CALLED = '|'.join((
    'Init', 'Init_thread', 'Finalize',  # only once
    'Abort',                            # must end the program with any arguments
    'Pcontrol',                         # the library ignores its arguments
    'T_init_thread',                    # one of OBJECTS; there is no wrong level
    'Comm_join',                        # errors of the descriptor are those of the system
    'Status_(f2f08|f082f|c2f08|f082c|c2f|f2c)',  # statuses are plain data, also in Fortran
))

# (name, C type, functions needed, code that makes it)
OBJECTS = [
    ('win_errors', 'MPI_Errhandler', 'Win_create_errhandler',
     'MPI_Win_create_errhandler(win_failed, &win_errors);'),
    ('file_errors', 'MPI_Errhandler', 'File_create_errhandler File_set_errhandler',
     'MPI_File_create_errhandler(file_failed, &file_errors); '
     'SET_FOR_FILES(file_errors);'),
    ('freed_comm', 'MPI_Comm', 'Comm_dup Comm_free',
     'MPI_Comm_dup(MPI_COMM_SELF, &freed_comm); MPI_Comm c = freed_comm; MPI_Comm_free(&c);'),
    ('freed_type', 'MPI_Datatype', 'Type_contiguous Type_free',
     'MPI_Type_contiguous(3, MPI_INT, &freed_type); MPI_Datatype t = freed_type; '
     'MPI_Type_free(&t);'),
    ('freed_op', 'MPI_Op', 'Op_create Op_free',
     'MPI_Op_create(a_user_fn, 1, &freed_op); MPI_Op o = freed_op; '
     'MPI_Op_free(&o);'),
    ('freed_request', 'MPI_Request', 'Irecv Send Wait',
     'MPI_Irecv(ints, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &freed_request); '
     'MPI_Request r = freed_request; MPI_Send(ints + 1, 1, MPI_INT, 0, 6, MPI_COMM_SELF); '
     'MPI_Wait(&r, MPI_STATUS_IGNORE);'),
    ('freed_group', 'MPI_Group', 'Comm_group Group_free',
     'MPI_Comm_group(MPI_COMM_SELF, &freed_group); MPI_Group g = freed_group; '
     'MPI_Group_free(&g);'),
    ('freed_info', 'MPI_Info', 'Info_create Info_free',
     'MPI_Info_create(&freed_info); MPI_Info i = freed_info; MPI_Info_free(&i);'),
    ('freed_errhandler', 'MPI_Errhandler', 'Comm_create_errhandler Errhandler_free',
     'MPI_Comm_create_errhandler(a_handler, &freed_errhandler); '
     'MPI_Errhandler e = freed_errhandler; MPI_Errhandler_free(&e);'),
    ('comm_handler', 'MPI_Errhandler', 'Comm_create_errhandler Errhandler_free',
     'MPI_Comm_create_errhandler(a_handler, &comm_handler);'),
    ('file_handler', 'MPI_Errhandler', 'File_create_errhandler Errhandler_free',
     'MPI_File_create_errhandler(a_file_handler, &file_handler);'),
    ('freed_win', 'MPI_Win', 'Win_create Win_free',
     'MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_SELF, &freed_win); '
     'MPI_Win w = freed_win; MPI_Win_free(&w);'),
    ('uncommitted', 'MPI_Datatype', 'Type_contiguous',
     'MPI_Type_contiguous(2, MPI_INT, &uncommitted);'),
    ('committed', 'MPI_Datatype', 'Type_contiguous Type_commit',
     'MPI_Type_contiguous(2, MPI_INT, &committed); MPI_Type_commit(&committed);'),
    ('status', 'MPI_Status', 'Recv Isend Wait',
     'MPI_Request r; MPI_Isend(ints, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &r); '
     'MPI_Recv(ints + 1, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &status); '
     'MPI_Wait(&r, MPI_STATUS_IGNORE);'),
    ('persistent', 'MPI_Request', 'Send_init',
     'MPI_Send_init(ints, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &persistent);'),
    ('group', 'MPI_Group', 'Comm_group', 'MPI_Comm_group(MPI_COMM_SELF, &group);'),
    ('cart', 'MPI_Comm', 'Cart_create',
     'MPI_Cart_create(MPI_COMM_SELF, 1, (int[]){1}, (int[]){0}, 0, &cart);'),
    ('graph', 'MPI_Comm', 'Graph_create',
     'MPI_Graph_create(MPI_COMM_SELF, 1, (int[]){1}, (int[]){0}, 0, &graph);'),
    ('dist_graph', 'MPI_Comm', 'Dist_graph_create_adjacent',
     'MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, (int[]){0}, MPI_UNWEIGHTED, 1, (int[]){0}, '
     'MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &dist_graph);'),
    ('info', 'MPI_Info', 'Info_create Info_set',
     'MPI_Info_create(&info); MPI_Info_set(info, "key", "value");'),
    ('comm_keyval', 'int', 'Comm_create_keyval',
     'MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &comm_keyval, NULL);'),
    ('type_keyval', 'int', 'Type_create_keyval',
     'MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_keyval, NULL);'),
    ('win_keyval', 'int', 'Win_create_keyval',
     'MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &win_keyval, NULL);'),
    ('win', 'MPI_Win', 'Win_create Win_set_errhandler',
     'MPI_Win_create(ints, sizeof ints, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win); '
     'MPI_Win_set_errhandler(win, win_errors);'),
    ('dynamic', 'MPI_Win', 'Win_create_dynamic Win_set_errhandler',
     'MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &dynamic); '
     'MPI_Win_set_errhandler(dynamic, win_errors);'),
    ('shared', 'MPI_Win', 'Win_allocate_shared Win_set_errhandler',
     'void *p; MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, MPI_COMM_SELF, &p, &shared); '
     'MPI_Win_set_errhandler(shared, win_errors);'),
    ('file', 'MPI_File', 'File_open',
     'char name[64]; snprintf(name, sizeof name, "args.%ld.tmp", (long) getpid()); '
     'MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | '
     'MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);'),
    ('session', 'MPI_T_pvar_session', 'T_init_thread T_pvar_session_create',
     'int level; MPI_T_init_thread(MPI_THREAD_SINGLE, &level); '
     'MPI_T_pvar_session_create(&session);'),
]

# The function that frees an object at the end, by the type or the name of the object.
RELEASE = {
    'MPI_Comm': 'MPI_Comm_free',
    'MPI_Datatype': 'MPI_Type_free',
    'MPI_Request': 'MPI_Request_free',
    'MPI_Group': 'MPI_Group_free',
    'MPI_Info': 'MPI_Info_free',
    'MPI_Errhandler': 'MPI_Errhandler_free',
    'MPI_Win': 'MPI_Win_free',
    'MPI_File': 'MPI_File_close',
    'MPI_T_pvar_session': 'MPI_T_pvar_session_free',
    'comm_keyval': 'MPI_Comm_free_keyval',
    'type_keyval': 'MPI_Type_free_keyval',
    'win_keyval': 'MPI_Win_free_keyval',
}

# (functions, parameter): pointers to handles that the function reads.  All other pointers to handles
# are outputs, which get a null handle when the function fails.
TAKEN = [
    ('.*_free(_keyval)?|Comm_disconnect|File_close|Type_commit|Wait|Test|Start|Cancel', '.*'),
    ('Mrecv|Imrecv', r'MPI_Message \*message'),
]

# (functions, parameter, its null handle)
GIVEN = [
    ('.*', r'(MPI_Comm) \*\w+', 'MPI_COMM_NULL'),
    ('.*', r'(MPI_Group) \*\w+', 'MPI_GROUP_NULL'),
    ('.*', r'(MPI_Datatype) \*\w+', 'MPI_DATATYPE_NULL'),
    ('.*', r'(MPI_Request) \*\w+', 'MPI_REQUEST_NULL'),
    ('.*', r'(MPI_Message) \*\w+', 'MPI_MESSAGE_NULL'),
    ('.*', r'(MPI_Op) \*\w+', 'MPI_OP_NULL'),
    ('.*', r'(MPI_Info) \*\w+', 'MPI_INFO_NULL'),
    ('.*', r'(MPI_Errhandler) \*\w+', 'MPI_ERRHANDLER_NULL'),
    ('.*', r'(MPI_Win) \*\w+', 'MPI_WIN_NULL'),
    ('.*', r'(MPI_File) \*\w+', 'MPI_FILE_NULL'),
    ('.*_create_keyval|Keyval_create', r'(int) \*\w+', 'MPI_KEYVAL_INVALID'),
]

NEIGHBOR = 'I?[nN]eighbor_.*'
PAIRS = 'Get_count|Get_elements(_x)?|Status_set_.*'

# (functions, parameter, argument)
GOOD = [
    # communicators
    (f'{NEIGHBOR}|Cart.*', 'MPI_Comm comm', 'cart'),
    ('Dist_graph_neighbors.*', 'MPI_Comm comm', 'dist_graph'),
    ('Graph.*', 'MPI_Comm comm', 'graph'),
    ('.*', 'MPI_Comm comm_old', 'MPI_COMM_SELF'),
    ('.*', r'MPI_Comm \w+', 'MPI_COMM_SELF'),
    ('.*', r'MPI_Comm \*\w+', '&(MPI_Comm){MPI_COMM_NULL}'),
    # datatypes
    ('Type_[gs]et_attr|Type_delete_attr', 'MPI_Datatype datatype', 'committed'),
    ('Type_get_contents', 'MPI_Datatype datatype', 'committed'),
    ('.*', r'MPI_Datatype \w+', 'MPI_INT'),
    ('.*', r'MPI_Datatype \w+\[\]', '(MPI_Datatype[]){MPI_INT, MPI_INT}'),
    ('Type_(commit|free)', r'MPI_Datatype \*\w+', '&(MPI_Datatype){uncommitted}'),
    ('.*', r'MPI_Datatype \*\w+', '&(MPI_Datatype){MPI_DATATYPE_NULL}'),
    # other handles
    ('.*', 'MPI_Op op', 'MPI_SUM'),
    ('.*', r'MPI_Op \*op', '&(MPI_Op){MPI_OP_NULL}'),
    ('Group_(range_)?(incl|excl)|Group_translate_ranks', r'MPI_Group \w+', 'group'),
    ('.*', r'MPI_Group \w+', 'MPI_GROUP_EMPTY'),
    ('.*', r'MPI_Group \*\w+', '&(MPI_Group){MPI_GROUP_EMPTY}'),
    ('Info_.*', 'MPI_Info info', 'info'),
    ('(Comm|Win|File)_set_info', 'MPI_Info info', 'info'),
    ('.*', 'MPI_Info info', 'MPI_INFO_NULL'),
    ('.*', r'MPI_Info array_of_info\[\]', '(MPI_Info[]){MPI_INFO_NULL}'),
    ('.*', r'MPI_Info \*\w+', '&(MPI_Info){MPI_INFO_NULL}'),
    ('.*', 'MPI_Errhandler errhandler', 'MPI_ERRORS_RETURN'),
    ('.*', r'MPI_Errhandler \*errhandler', '&(MPI_Errhandler){MPI_ERRHANDLER_NULL}'),
    ('.*', r'MPI_Message \*message', '&(MPI_Message){MPI_MESSAGE_NO_PROC}'),
    ('.*', 'MPI_Request request', 'MPI_REQUEST_NULL'),
    ('Start|Request_free', r'MPI_Request \*request', '&(MPI_Request){persistent}'),
    ('.*', r'MPI_Request \*request', '&(MPI_Request){MPI_REQUEST_NULL}'),
    ('Startall', r'MPI_Request array_of_requests\[\]', '&(MPI_Request){persistent}'),
    ('.*', r'MPI_Request array_of_requests\[\]', '(MPI_Request[]){MPI_REQUEST_NULL}'),
    ('Win_(attach|detach)', 'MPI_Win win', 'dynamic'),
    ('Win_shared_query', 'MPI_Win win', 'shared'),
    ('.*', 'MPI_Win win', 'win'),
    ('.*', r'MPI_Win \*win', '&(MPI_Win){MPI_WIN_NULL}'),
    ('File_([gs]et|call)_errhandler', r'MPI_File \w+', 'MPI_FILE_NULL'),
    ('.*', r'MPI_File \w+', 'file'),
    ('.*', r'MPI_File \*fh', '&(MPI_File){MPI_FILE_NULL}'),
    ('.*', 'MPI_T_pvar_session session', 'session'),
    ('.*', r'MPI_T_pvar_session \*session', '&(MPI_T_pvar_session){MPI_T_PVAR_SESSION_NULL}'),
    ('.*', 'MPI_T_pvar_handle handle', 'MPI_T_PVAR_HANDLE_NULL'),
    ('.*', r'MPI_T_pvar_handle \*handle', '&(MPI_T_pvar_handle){MPI_T_PVAR_HANDLE_NULL}'),
    ('.*', 'MPI_T_cvar_handle handle', 'MPI_T_CVAR_HANDLE_NULL'),
    ('.*', r'MPI_T_cvar_handle \*handle', '&(MPI_T_cvar_handle){MPI_T_CVAR_HANDLE_NULL}'),
    ('.*', 'MPI_T_enum enumtype', 'MPI_T_ENUM_NULL'),
    ('.*', r'MPI_T_enum \*enumtype', '&(MPI_T_enum){MPI_T_ENUM_NULL}'),
    # statuses
    (PAIRS + '|Test_cancelled', r'MPI_Status \*status', '&status'),
    ('.*', r'MPI_Status \*status', 'MPI_STATUS_IGNORE'),
    ('.*', r'MPI_Status \*array_of_statuses', 'MPI_STATUSES_IGNORE'),
    # attributes
    ('(Comm_get_attr|Attr_get)', r'int (comm_)?keyval', 'MPI_TAG_UB'),
    ('.*', 'int (comm_)?keyval', 'comm_keyval'),
    ('.*', 'int type_keyval', 'type_keyval'),
    ('.*', 'int win_keyval', 'win_keyval'),
    ('Type_get_attr|Win_get_attr|Comm_get_attr|Attr_get', r'void \*attribute_val',
     '&(void *){NULL}'),
    # integers
    ('.*', r'int \w*count', '1'),
    ('.*', 'MPI_Count count', '1'),
    ('Group_.*', 'int n', '1'),
    ('Info_get_nthkey|Dist_graph_create', 'int n', '0'),
    ('Comm_split_type', 'int split_type', 'MPI_COMM_TYPE_SHARED'),
    ('Win_lock', 'int lock_type', 'MPI_LOCK_SHARED'),
    ('.*', 'int order', 'MPI_ORDER_C'),
    ('.*', 'int typeclass', 'MPI_TYPECLASS_INTEGER'),
    ('Type_match_size', 'int size', '4'),
    ('Type_create_darray', 'int size', '1'),
    ('Buffer_attach', 'int size', '256'),
    ('Type_create_f90_.*', 'int p', '6'),
    ('Type_create_f90_.*', 'int r', '6'),
    ('.*', 'int whence', 'MPI_SEEK_SET'),
    ('File_open', 'int amode', 'MPI_MODE_RDWR'),
    ('.*', 'int (max)?(ndims|dims|nnodes|index|edges|neighbors)', '1'),
    ('.*', 'int (max)?(indegree|outdegree)', '1'),
    ('.*', 'int max_integers|int max_datatypes', '1'),
    ('.*', 'int (blocklength|stride|disp_unit|maxprocs|valuelen|outsize|insize|len)', '8'),
    ('Add_error_(code|string)', 'int error(class|code)', 'MPI_ERR_OTHER'),
    ('.*', r'int \w+', '0'),
    ('.*', 'MPI_Aint (size|extent|outsize|insize)', '64'),
    ('.*', r'MPI_(Aint|Offset) \w+', '0'),
    ('.*', r'MPI_(Aint|Offset|Count) \*\w+', '&(MPI_Aint){0}'),
    ('.*', r'MPI_Aint \w+\[\]', '(MPI_Aint[4]){0}'),
    # arrays of integers; a process of the grid has two neighbors
    (NEIGHBOR, r'int (sendcounts|recvcounts)\[\]', '(int[]){1, 1}'),
    ('Comm_spawn.*', r'int array_of_errcodes\[\]', 'MPI_ERRCODES_IGNORE'),
    ('Comm_spawn_multiple', r'int array_of_maxprocs\[\]', '(int[]){1}'),
    ('.*', r'int (sendcounts|recvcounts|array_of_blocklengths)\[\]', '(int[]){1}'),
    ('.*', r'int array_of_(gsizes|psizes|sizes|subsizes)\[\]', '(int[]){1}'),
    ('.*', r'int array_of_distribs\[\]', '(int[]){MPI_DISTRIBUTE_BLOCK}'),
    ('.*', r'int array_of_dargs\[\]', '(int[]){MPI_DISTRIBUTE_DFLT_DARG}'),
    ('Graph_.*', r'int indx\[\]', '(int[]){1}'),
    ('Cart_(create|map)', r'int dims\[\]', '(int[]){1}'),
    ('Group_range_.*', r'int ranges\[\]\[3\]', '(int[][3]){{0, 0, 1}}'),
    ('.*', r'int \w+\[\]', '(int[8]){0}'),
    ('.*', r'int \*\w+', '&(int){0}'),
    # memory: sends and receives must not overlap
    ('Win_(allocate.*|shared_query)|Alloc_mem', r'void \*baseptr', '&(void *){NULL}'),
    ('Buffer_detach', r'void \*buffer_addr', '&(void *){NULL}'),
    ('.*', r'void \*(recvbuf|outbuf|inoutbuf|result_addr)', 'ints + 16'),
    ('.*', r'void \*compare_addr', 'ints + 32'),
    ('.*', r'void \*\w+', 'ints'),
    # strings
    ('Info_get_nthkey|File_get_view', r'char \*\w+', 'chars'),
    ('Info_.*', r'char \*key', '"key"'),
    ('(Unp|P)ack_external.*', r'char \*?datarep(\[\])?', '"external32"'),
    ('.*', r'char \*?datarep(\[\])?', '"native"'),
    ('.*_set_name|Add_error_string', r'char \*\w+', '"a name"'),
    ('.*', r'char \*filename', '"args.no-such-file"'),
    ('Comm_spawn', r'char \*command', '"args.no-such-program"'),
    ('.*', r'char \*(port_name|service_name|value)', 'chars'),
    ('Comm_spawn', r'char \*argv\[\]', 'MPI_ARGV_NULL'),
    ('Comm_spawn_multiple', r'char \*array_of_commands\[\]', '(char *[]){"args.no-such-program"}'),
    ('Comm_spawn_multiple', r'char \*\*array_of_argv\[\]', 'MPI_ARGVS_NULL'),
    ('.*', r'char \*\w+', 'chars'),
    # functions
    ('.*', r'MPI_User_function \*user_fn', 'a_user_fn'),
    ('File_.*', r'MPI_\w+_function \*\w+', 'a_file_handler'),
    ('.*', r'MPI_\w+_errhandler_function \*\w+', 'a_handler'),
    ('.*', r'MPI_Grequest_query_function \*query_fn', 'a_query_fn'),
    ('.*', r'MPI_Grequest_free_function \*free_fn', 'a_free_fn'),
    ('.*', r'MPI_Grequest_cancel_function \*cancel_fn', 'a_cancel_fn'),
    ('.*', r'MPI_Datarep_extent_function \*\w+', 'an_extent_fn'),
    ('.*', r'MPI_\w+_function \*\w+', 'NULL'),
]
