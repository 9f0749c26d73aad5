"""Wrong arguments for gen_arg_tests.py, and the error class that each call must return.

A row begins with two regular expressions: one for the function, without "MPI_", and one for the
parameter, written as "type *name[]" without const.  The first row that matches is used.

The standard describes each class in one line and does not assign classes to arguments.  Here an
argument gets the class that is named after its kind; without one, the class of MPICH, so that
programs that test it see no difference.  So

  - null pointers for outputs, arrays, strings and statuses are MPI_ERR_ARG, for data
    MPI_ERR_BUFFER;
  - MPI 3.1 has no class for error handlers: MPI_ERR_ARG; messages are requests: MPI_ERR_REQUEST;
  - a handle that was freed, is of another kind or never existed is an error like a null handle;
  - arguments are checked in their order before the call does anything, also those that the call would
    not read, unless the standard says that they are ignored.
"""
from arg_good import NEIGHBOR, PAIRS


def handles(error, *values):
    """Checks that expect one class: of values, and of two numbers that are no handles."""
    return [(value, error) for value in values + ('(int) 0x84712345', '77')]


def pointees(ctype, checks):
    """The same checks for a pointer to a handle, and a check of a null pointer."""
    return [('NULL', 'ARG')] + [(f'&({ctype}){{{value}}}', error) for value, error in checks]


NULL = [('NULL', 'ARG')]

COMM = handles('COMM', 'MPI_COMM_NULL', 'MPI_INT', 'freed_comm')
TYPE = handles('TYPE', 'MPI_DATATYPE_NULL', 'MPI_COMM_WORLD', 'freed_type')
DATA = TYPE + [('uncommitted', 'TYPE')]
OP = handles('OP', 'MPI_OP_NULL', 'MPI_INT', 'freed_op')
GROUP = handles('GROUP', 'MPI_GROUP_NULL', 'MPI_COMM_WORLD', 'freed_group')
INFO_OR_NULL = handles('INFO', 'MPI_COMM_WORLD', 'freed_info')
INFO = INFO_OR_NULL + [('MPI_INFO_NULL', 'INFO')]
WIN = handles('WIN', 'MPI_WIN_NULL', 'MPI_COMM_WORLD', 'freed_win')
REQUEST_OR_NULL = handles('REQUEST', 'MPI_COMM_WORLD', 'freed_request')
REQUEST = REQUEST_OR_NULL + [('MPI_REQUEST_NULL', 'REQUEST')]
ERRHANDLER = handles('ARG', 'MPI_ERRHANDLER_NULL', 'MPI_COMM_WORLD', 'freed_errhandler')
FILE = [('MPI_FILE_NULL', 'FILE')]  # a wrong pointer cannot be detected
MESSAGE = handles('REQUEST', 'MPI_MESSAGE_NULL', 'MPI_COMM_WORLD', 'freed_request')

COUNT = [('-1', 'COUNT'), ('INT_MIN', 'COUNT')]
COUNTS = [('NULL', 'ARG'), ('(int[]){-1, 1}', 'COUNT')]
TYPES = [('NULL', 'ARG'), ('(MPI_Datatype[]){MPI_DATATYPE_NULL, MPI_INT}', 'TYPE'),
         ('(MPI_Datatype[]){MPI_COMM_WORLD, MPI_INT}', 'TYPE')]
BUFFER = [('NULL', 'BUFFER')]
OUT_BUFFER = BUFFER + [('MPI_IN_PLACE', 'BUFFER')]
NEGATIVE = [('-1', 'ARG'), ('INT_MIN', 'ARG')]
RANK = [('1', 'RANK'), ('1 << 20', 'RANK'), ('-4', 'RANK'), ('INT_MIN', 'RANK'),
        ('INT_MAX', 'RANK'), ('MPI_ROOT', 'RANK')]
KEYVAL = [('MPI_KEYVAL_INVALID', 'KEYVAL'), ('77', 'KEYVAL'), ('MPI_COMM_WORLD', 'KEYVAL')]
T_INDEX = [('-1', 'MPI_T_ERR_INVALID_INDEX'), ('1 << 20', 'MPI_T_ERR_INVALID_INDEX')]
T_NAME = [('"no such name"', 'MPI_T_ERR_INVALID_NAME')]


SEND_TAG = [('-77', 'TAG'), ('INT_MIN', 'TAG'), ('INT_MAX', 'TAG'), ('MPI_ANY_TAG', 'TAG')]
RECV_TAG = SEND_TAG[:3]
RECEIVES = 'I?[mM]?[pP]robe|I?[rR]ecv(_init)?'

# Functions that examine a datatype without moving data: it need not be committed.
LOOKS = 'Type_.*|Status_set_.*|Get_(count|elements.*)|Pack(_external)?_size|File_get_type_extent'
COLLECTIVES = (r'I?(gather|Gather|scatter|Scatter|allgather|Allgather|alltoall|Alltoall|reduce|'
               r'Reduce|allreduce|Allreduce|scan|Scan|exscan|Exscan)(?!_local)\w*')
REDUCTIONS = r'I?(reduce|Reduce|allreduce|Allreduce|scan|Scan|exscan|Exscan)(?!_local)\w*'
ON_GRAPHS = (r'Cart_(get|rank|coords|shift|sub)|Cartdim_get|Graph_get|Graphdims_get|'
             r'(Dist_g|G)raph_neighbors\w*|' + NEIGHBOR)
ANY = 'every value is right'

# (functions, parameter, [(value, error class)]), or the reason why there are no checks
ROWS = [
    # tools: their own classes, and most outputs may be null
    ('T_.*', 'int (cvar|pvar|cat)_index', T_INDEX),
    ('T_.*_get_index', r'char \*name', T_NAME + [('NULL', 'MPI_T_ERR_INVALID')]),
    ('T_pvar_get_index', 'int var_class', 'a variable of another class has another name'),
    ('T_.*', 'MPI_T_pvar_session session',
     [('MPI_T_PVAR_SESSION_NULL', 'MPI_T_ERR_INVALID_SESSION')]),
    ('T_.*', 'MPI_T_pvar_handle handle', [('MPI_T_PVAR_HANDLE_NULL', 'MPI_T_ERR_INVALID_HANDLE')]),
    ('T_.*', 'MPI_T_cvar_handle handle', [('MPI_T_CVAR_HANDLE_NULL', 'MPI_T_ERR_INVALID_HANDLE')]),
    ('T_pvar_session_free', r'MPI_T_pvar_session \*session',
     [('NULL', 'MPI_T_ERR_INVALID'),
      ('&(MPI_T_pvar_session){MPI_T_PVAR_SESSION_NULL}', 'MPI_T_ERR_INVALID_SESSION')]),
    ('T_pvar_handle_free', r'MPI_T_pvar_handle \*handle',
     [('NULL', 'MPI_T_ERR_INVALID'),
      ('&(MPI_T_pvar_handle){MPI_T_PVAR_HANDLE_NULL}', 'MPI_T_ERR_INVALID_HANDLE')]),
    ('T_cvar_handle_free', r'MPI_T_cvar_handle \*handle',
     [('NULL', 'MPI_T_ERR_INVALID'),
      ('&(MPI_T_cvar_handle){MPI_T_CVAR_HANDLE_NULL}', 'MPI_T_ERR_INVALID_HANDLE')]),
    ('T_enum_.*', 'MPI_T_enum enumtype', [('MPI_T_ENUM_NULL', 'MPI_T_ERR_INVALID_HANDLE')]),
    ('T_(.*_get_num|category_changed|pvar_session_create)', r'\w+ \*\w+',
     [('NULL', 'MPI_T_ERR_INVALID')]),
    ('T_.*', '.*', 'left to the tests of MPI_T: there may be no variable to call it with'),

    # communicators
    ('Comm_remote_.*|Intercomm_merge', r'MPI_Comm \w+', COMM + [('MPI_COMM_SELF', 'COMM')]),
    ('Comm_remote_.*|Intercomm_merge', '.*', 'needs two processes'),
    (ON_GRAPHS, r'MPI_Comm \w+', COMM + [('MPI_COMM_SELF', 'TOPOLOGY')]),
    ('.*', r'MPI_Comm \w+', COMM),
    ('Comm_(free|disconnect)', r'MPI_Comm \*comm',
     pointees('MPI_Comm', COMM + [('MPI_COMM_WORLD', 'COMM'), ('MPI_COMM_SELF', 'COMM')])),
    ('.*', r'MPI_Comm \*\w+', NULL),

    # datatypes
    ('Type_get_contents', 'MPI_Datatype datatype', TYPE + [('MPI_INT', 'TYPE')]),
    ('Type_(set|delete)_attr|Type_get_attr', 'MPI_Datatype datatype', TYPE),
    (LOOKS, r'MPI_Datatype \w+', TYPE),
    ('.*', r'MPI_Datatype \w+', DATA),
    (COLLECTIVES + '|' + NEIGHBOR, r'MPI_Datatype \w+\[\]',
     TYPES + [('(MPI_Datatype[]){uncommitted, MPI_INT}', 'TYPE')]),
    ('.*', r'MPI_Datatype array_of_types\[\]', TYPES),
    ('Type_commit', r'MPI_Datatype \*datatype', pointees('MPI_Datatype', TYPE)),
    ('Type_free', r'MPI_Datatype \*datatype',
     pointees('MPI_Datatype', TYPE + [('MPI_INT', 'TYPE')])),
    ('.*', r'MPI_Datatype (\*\w+|array_of_datatypes\[\])', NULL),

    # operations, groups
    (REDUCTIONS + '|Reduce_local', 'MPI_Op op', OP + [('MPI_REPLACE', 'OP'), ('MPI_NO_OP', 'OP')]),
    ('.*', 'MPI_Op op', OP),
    ('Op_free', r'MPI_Op \*op', pointees('MPI_Op', OP + [('MPI_SUM', 'OP')])),
    ('.*', r'MPI_Op \*op', NULL),
    ('.*', r'MPI_Group \w+', GROUP),
    ('Group_free', r'MPI_Group \*group', pointees('MPI_Group', GROUP)),
    ('.*', r'MPI_Group \*\w+', NULL),

    # info, error handlers
    ('Info_.*|(Comm|Win)_set_info', 'MPI_Info info', INFO),
    ('.*', 'MPI_Info info', INFO_OR_NULL),
    ('.*', r'MPI_Info array_of_info\[\]', [('NULL', 'ARG'), ('(MPI_Info[]){77}', 'INFO')]),
    ('Info_free', r'MPI_Info \*info', pointees('MPI_Info', INFO + [('MPI_INFO_ENV', 'INFO')])),
    ('.*', r'MPI_Info \*\w+', NULL),
    ('File_.*', 'MPI_Errhandler errhandler', ERRHANDLER + [('comm_handler', 'ARG')]),
    ('Win_.*', 'MPI_Errhandler errhandler',
     ERRHANDLER + [('comm_handler', 'ARG'), ('file_handler', 'ARG')]),
    ('.*', 'MPI_Errhandler errhandler', ERRHANDLER + [('file_handler', 'ARG')]),
    ('Errhandler_free', r'MPI_Errhandler \*errhandler', pointees('MPI_Errhandler', ERRHANDLER)),
    ('.*', r'MPI_Errhandler \*errhandler', NULL),

    # requests, messages, statuses
    ('Grequest_complete', 'MPI_Request request', REQUEST + [('persistent', 'REQUEST')]),
    ('.*', 'MPI_Request request', REQUEST_OR_NULL),
    ('Wait|Test', r'MPI_Request \*request', pointees('MPI_Request', REQUEST_OR_NULL)),
    ('Start|Cancel|Request_free', r'MPI_Request \*request', pointees('MPI_Request', REQUEST)),
    ('.*', r'MPI_Request \*request', NULL),
    ('Startall', r'MPI_Request array_of_requests\[\]', pointees('MPI_Request', REQUEST)),
    ('.*', r'MPI_Request array_of_requests\[\]', pointees('MPI_Request', REQUEST_OR_NULL)),
    ('I?[mM]recv', r'MPI_Message \*message', pointees('MPI_Message', MESSAGE)),
    ('.*', r'MPI_Message \*message', NULL),
    ('File_.*_end', r'(MPI_Status|void) \*\w+', 'needs a begun operation'),
    (PAIRS + '|Test_cancelled', r'MPI_Status \*status', NULL + [('MPI_STATUS_IGNORE', 'ARG')]),
    ('.*', r'MPI_Status \*\w+', NULL),

    # windows, files
    ('Win_(attach|detach|shared_query)', 'MPI_Win win', WIN + [('win', 'RMA_FLAVOR')]),
    ('.*', 'MPI_Win win', WIN),
    ('Win_free', r'MPI_Win \*win', pointees('MPI_Win', WIN)),
    ('.*', r'MPI_Win \*win', NULL),
    ('File_([gs]et|call)_errhandler', r'MPI_File \w+', 'MPI_FILE_NULL stands for the default'),
    ('.*', r'MPI_File \w+', FILE),
    ('File_close', r'MPI_File \*fh', pointees('MPI_File', FILE)),
    ('.*', r'MPI_File \*fh', NULL),

    # attributes
    ('Comm_get_attr|Attr_get', r'int (comm_)?keyval', KEYVAL + [('type_keyval', 'KEYVAL')]),
    ('Comm_.*|Attr_.*', r'int (comm_)?keyval',
     KEYVAL + [('type_keyval', 'KEYVAL'), ('MPI_TAG_UB', 'KEYVAL')]),
    ('Win_get_attr', 'int win_keyval', KEYVAL + [('comm_keyval', 'KEYVAL')]),
    ('Win_.*', 'int win_keyval',
     KEYVAL + [('comm_keyval', 'KEYVAL'), ('MPI_WIN_SIZE', 'KEYVAL')]),
    ('Type_.*', 'int type_keyval', KEYVAL + [('comm_keyval', 'KEYVAL')]),
    ('.*_free_keyval|Keyval_free', r'int \*\w+',
     [('NULL', 'ARG'), ('&(int){MPI_KEYVAL_INVALID}', 'KEYVAL'), ('&(int){77}', 'KEYVAL'),
      ('&(int){MPI_TAG_UB}', 'KEYVAL')]),
    ('.*_get_attr|Attr_get', r'void \*attribute_val', NULL),
    ('.*', r'void \*(attribute_val|extra_state)', ANY),

    # ranks and tags
    ('.*', 'int dest', RANK + [('MPI_ANY_SOURCE', 'RANK')]),
    ('Win_.*', 'int rank', RANK + [('MPI_ANY_SOURCE', 'RANK')]),
    ('.*', 'int (source|target_rank)', RANK),
    ('Intercomm_create', r'int \w+_leader', RANK + [('MPI_ANY_SOURCE', 'RANK')]),
    ('(Cart|Graph)_.*', 'int rank', RANK + [('MPI_PROC_NULL', 'RANK')]),
    ('.*', 'int root', [('1', 'ROOT'), ('1 << 20', 'ROOT'), ('-4', 'ROOT'), ('INT_MIN', 'ROOT'),
                        ('MPI_PROC_NULL', 'ROOT'), ('MPI_ROOT', 'ROOT')]),
    (RECEIVES, 'int tag', RECV_TAG),
    ('.*', 'int recvtag', RECV_TAG),
    ('.*', 'int (send)?tag', SEND_TAG),

    # buffers and counts
    ('.*', r'int (\w*count)', COUNT),
    ('.*', 'MPI_Count count', [('-1', 'COUNT')]),
    ('.*', r'int (send|recv)counts\[\]', COUNTS),
    ('.*', r'(int|MPI_Aint) [sr]?displs\[\]', NULL),
    ('I?[bB]cast(_init)?', r'void \*buffer', OUT_BUFFER),
    ('I?[sS]catterv?(_init)?', r'void \*sendbuf', OUT_BUFFER),
    ('I?[sS]catterv?(_init)?', r'void \*recvbuf', BUFFER),
    (NEIGHBOR, r'void \*\w+', OUT_BUFFER),
    ('I?[eE]xscan(_init)?', r'void \*recvbuf', 'rank 0 has none'),
    (COLLECTIVES, r'void \*recvbuf', OUT_BUFFER),
    ('Reduce_local', r'void \*\w+', OUT_BUFFER),
    ('Win_create', r'void \*base', ANY),
    ('Win_attach', r'void \*base', 'what memory is there is not known'),
    ('Win_detach', r'void \*base', [('ints', 'RMA_ATTACH')]),
    ('Free_mem', r'void \*base', [('ints', 'BASE'), ('MPI_IN_PLACE', 'BASE')]),
    ('.*', r'void \*location', ANY),
    ('.*', r'void \*(baseptr|buffer_addr)', NULL),
    ('.*', r'void \*\w*(buf|buffer|_addr)', BUFFER),

    # datatype constructors
    ('.*', 'int blocklength', COUNT),
    ('.*', '(int|MPI_Aint) stride', ANY),
    ('Type_.*', r'int array_of_blocklengths\[\]', [('NULL', 'ARG'), ('(int[]){-1}', 'COUNT')]),
    ('.*', r'(int|MPI_Aint) array_of_displacements\[\]', NULL),
    ('.*', 'MPI_Aint (lb|extent)', ANY),
    ('Type_create_(sub|d)array', 'int ndims', [('0', 'ARG'), ('-1', 'ARG')]),
    ('Type_create_.*array', r'int array_of_(g?sizes|subsizes|psizes|distribs|dargs)\[\]',
     [('NULL', 'ARG'), ('(int[]){0}', 'ARG'), ('(int[]){-1}', 'ARG')]),
    ('Type_create_subarray', r'int array_of_starts\[\]',
     [('NULL', 'ARG'), ('(int[]){-1}', 'ARG'), ('(int[]){1}', 'ARG')]),
    ('Type_create_.*array', 'int order', [('0', 'ARG')]),
    ('Type_create_darray', 'int size', NEGATIVE),
    ('Type_create_darray', 'int rank', [('-1', 'RANK'), ('1', 'RANK')]),
    ('Type_create_f90_.*', 'int [pr]', [('10000', 'ARG')]),
    ('Type_match_size', 'int (typeclass|size)', [('-1', 'ARG'), ('77', 'ARG')]),
    ('Type_get_contents', 'int max_(integers|datatypes)', NEGATIVE + [('0', 'ARG')]),
    ('Type_get_contents', 'int max_addresses', NEGATIVE),
    ('Type_get_contents', r'MPI_Aint array_of_addresses\[\]', 'there are none to return'),

    # packing
    ('(Unp|P)ack', 'int (outsize|insize)', [('-1', 'ARG')]),
    ('(Unp|P)ack_external', 'MPI_Aint (outsize|insize)', [('-1', 'COUNT')]),
    ('(Unp|P)ack_external', r'MPI_Aint \*position', [('NULL', 'ARG'), ('&(MPI_Aint){-1}', 'ARG')]),
    ('(Unp|P)ack', r'int \*position', [('NULL', 'ARG'), ('&(int){-1}', 'ARG')]),
    ('(Unp|P)ack.*', r'char \*?datarep(\[\])?',
     [('NULL', 'ARG'), ('"bogus"', 'UNSUPPORTED_DATAREP')]),

    # groups and communicators
    ('Group_.*', 'int n', NEGATIVE),
    ('Group_(incl|excl)', r'int ranks\[\]', [('NULL', 'ARG'), ('(int[]){1}', 'RANK'),
                                             ('(int[]){-1}', 'RANK')]),
    ('Group_translate_ranks', r'int ranks1\[\]', [('NULL', 'ARG'), ('(int[]){1}', 'RANK'),
                                                  ('(int[]){-4}', 'RANK')]),
    ('Group_range_.*', r'int ranges\[\]\[3\]',
     [('NULL', 'ARG'), ('(int[][3]){{1, 1, 1}}', 'RANK'), ('(int[][3]){{0, 0, 0}}', 'ARG')]),
    ('Comm_split', 'int color', [('-5', 'ARG')]),
    ('Comm_split_type', 'int split_type', [('77777', 'ARG')]),
    ('.*', 'int (key|high|reorder|commute|flag)', ANY),

    # topologies
    ('Cart_(create|map)', 'int ndims', [('-1', 'DIMS')]),
    ('Cart_create', r'int dims\[\]', [('NULL', 'ARG'), ('(int[]){-1}', 'DIMS'),
                                      ('(int[]){2}', 'DIMS')]),
    ('Cart_map', r'int dims\[\]', [('NULL', 'ARG'), ('(int[]){-1}', 'DIMS')]),
    ('Dims_create', 'int nnodes', [('0', 'ARG'), ('-1', 'ARG')]),
    ('Dims_create', 'int ndims', [('-1', 'DIMS')]),
    ('Dims_create', r'int dims\[\]', [('NULL', 'ARG'), ('(int[]){-1}', 'DIMS'),
                                      ('(int[]){2}', 'DIMS')]),
    ('Cart_rank', r'int coords\[\]', [('NULL', 'ARG'), ('(int[]){1}', 'ARG'),
                                      ('(int[]){-1}', 'ARG')]),
    ('Cart_shift', 'int direction', [('-1', 'ARG'), ('1', 'ARG')]),
    ('Cart_shift', 'int disp', ANY),
    ('Cart_(get|coords)', 'int maxdims', [('0', 'ARG'), ('-1', 'ARG')]),
    ('Graph_(create|map)', 'int nnodes', [('-1', 'ARG')]),
    ('Graph_(create|map)', r'int indx\[\]', [('NULL', 'ARG'), ('(int[]){-1}', 'ARG')]),
    ('Graph_(create|map)', r'int edges\[\]', [('NULL', 'ARG'), ('(int[]){-1}', 'ARG'),
                                              ('(int[]){1}', 'ARG')]),
    ('Graph_get', 'int max(index|edges)', NEGATIVE),
    ('Graph_neighbors', 'int maxneighbors', NEGATIVE),
    ('Dist_graph_neighbors', 'int max(in|out)degree', NEGATIVE),
    ('Dist_graph_neighbors', r'int (source|dest)weights\[\]', 'nothing is said of null'),
    ('Dist_graph_neighbors', r'int \w+\[\]', NULL),
    ('Dist_graph_.*', 'int (n|(in|out)degree)', NEGATIVE),
    ('Dist_graph_create', r'int \w+\[\]', 'not read when n is 0'),
    ('Dist_graph_.*', r'int (sources|destinations)\[\]',
     [('NULL', 'ARG'), ('(int[]){-1}', 'RANK'), ('(int[]){1}', 'RANK')]),
    ('Dist_graph_.*', r'int \w*weights\[\]', [('NULL', 'ARG'), ('(int[]){-1}', 'ARG')]),

    # environment
    ('Buffer_attach', 'int size', NEGATIVE),
    ('Alloc_mem', 'MPI_Aint size', [('-1', 'ARG'), ('LONG_MAX', 'NO_MEM')]),
    ('Error_(string|class)', 'int errorcode', [('-1', 'ARG'), ('INT_MIN', 'ARG')]),
    ('Add_error_code', 'int errorclass', [('-1', 'ARG'), ('INT_MAX', 'ARG')]),
    ('Add_error_string', 'int errorcode', [('-1', 'ARG'), ('MPI_ERR_ARG', 'ARG')]),
    ('.*_call_errhandler', 'int errorcode', ANY),
    ('.*', r'MPI_\w*errhandler_function \*\w+', NULL),
    ('.*', r'MPI_User_function \*\w+', NULL),
    ('.*', r'MPI_\w+_function \*\w+', 'null is a function of MPI, or nothing is said of it'),

    # info
    ('Info_(set|get|get_valuelen|delete)', r'char \*key',
     [('NULL', 'INFO_KEY'), ('""', 'INFO_KEY'), ('long_string', 'INFO_KEY')]),
    ('Info_set', r'char \*value', [('NULL', 'ARG'), ('long_string', 'INFO_VALUE')]),
    ('Info_get', 'int valuelen', NEGATIVE),
    ('Info_get_nthkey', 'int n', [('-1', 'ARG'), ('1', 'ARG')]),

    # processes
    ('Comm_spawn', 'int maxprocs', NEGATIVE),
    ('Comm_spawn_multiple', r'int array_of_maxprocs\[\]',
     [('NULL', 'ARG'), ('(int[]){-1}', 'ARG')]),
    ('Comm_spawn.*', r'int array_of_errcodes\[\]|char \**(argv|array_of_argv)\[\]',
     'null has a meaning'),
    ('Comm_spawn_multiple', r'char \*array_of_commands\[\]',
     [('NULL', 'ARG'), ('(char *[]){NULL}', 'ARG')]),

    # one-sided communication
    ('Win_.*', 'MPI_Aint size', [('-1', 'SIZE')]),
    ('Win_.*', 'int disp_unit', [('0', 'DISP'), ('-1', 'DISP')]),
    ('.*', 'MPI_Aint target_disp', [('-1', 'DISP')]),
    ('Win_.*', 'int assert', [('-1', 'ASSERT'), ('1 << 30', 'ASSERT')]),
    ('Win_lock', 'int lock_type', [('0', 'LOCKTYPE'), ('77', 'LOCKTYPE')]),

    # files
    ('File_open', 'int amode',
     [('0', 'AMODE'), ('MPI_MODE_RDONLY | MPI_MODE_WRONLY', 'AMODE'),
      ('MPI_MODE_RDONLY | MPI_MODE_CREATE', 'AMODE'), ('MPI_MODE_RDONLY | MPI_MODE_EXCL', 'AMODE'),
      ('MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL', 'AMODE')]),
    ('File_open', r'char \*filename', [('NULL', 'ARG'), ('"args.no-such-file"', 'NO_SUCH_FILE')]),
    ('File_delete', r'char \*filename', [('NULL', 'ARG'), ('"args.no-such-file"', 'NO_SUCH_FILE')]),
    ('File_.*', 'MPI_Offset (size|offset|disp)', [('-1', 'ARG')]),
    ('File_.*', 'int whence', [('0', 'ARG')]),
    ('File_set_view', r'char \*datarep', [('NULL', 'ARG'), ('"bogus"', 'UNSUPPORTED_DATAREP')]),
    ('Register_datarep', r'char \*datarep', [('NULL', 'ARG'), ('long_string', 'ARG')]),

    # every other pointer or array is an output, or a text
    ('.*', r'(int|char|MPI_Aint|MPI_Count|MPI_Offset) (\*\w+|\w+\[\])', NULL),
]

# Arguments that are good alone and bad together: (functions, {parameter: value}, error class)
COMBINATIONS = [
    (REDUCTIONS + '|Reduce_local', {'MPI_Datatype datatype': 'MPI_DOUBLE', 'MPI_Op op': 'MPI_BAND'},
     'OP'),
    (REDUCTIONS + '|Reduce_local', {'MPI_Datatype datatype': 'MPI_WCHAR', 'MPI_Op op': 'MPI_SUM'},
     'OP'),
    (REDUCTIONS + '|Reduce_local', {'MPI_Datatype datatype': 'MPI_BYTE', 'MPI_Op op': 'MPI_MAX'},
     'OP'),
    (REDUCTIONS + '|Reduce_local', {'MPI_Datatype datatype': 'MPI_INT', 'MPI_Op op': 'MPI_MAXLOC'},
     'OP'),
    (REDUCTIONS + '|Reduce_local', {'MPI_Datatype datatype': 'MPI_C_FLOAT_COMPLEX',
                                    'MPI_Op op': 'MPI_MIN'}, 'OP'),
    (REDUCTIONS + '|Reduce_local', {'MPI_Datatype datatype': 'committed', 'MPI_Op op': 'MPI_SUM'},
     'OP'),
]

# ---- what MPICH does not detect ------------------------------------------------------------------

# (functions, parameter, values, reason): left out with -DLAX.
LAX = [
    ('.*', '.*', r'.*0x84712345.*', 'believes every handle that has the bits of its kind'),
    ('.*', '.*', r'.*\bfreed_.*', 'gives a freed handle to the next object'),
    (PAIRS + '|Test_cancelled', '.*', 'MPI_STATUS_IGNORE', 'reads it'),

    # not looked at
    (r'\w*([bB]cast|[nN]eighbor_)\w*', '.*', 'MPI_IN_PLACE', 'not looked at'),
    ('.*', r'\w+ ((send|recv)(counts|types)|[sr]?displs)\[\]', 'NULL', 'reads it'),
    (REDUCTIONS, r'int \w*count', '.*', 'not looked at; or MPI_ERR_OTHER'),
    ('Reduce_local', r'int count|void \*.*', '.*', 'not looked at'),
    ('Op_commutative', 'MPI_Op op', 'MPI_INT', 'not looked at'),
    ('Comm_split', 'int color', '.*', 'not looked at'),
    ('Comm_remote_.*|Intercomm_merge', '.*', 'MPI_COMM_SELF', 'not looked at'),
    ('Intercomm_create', 'MPI_Comm peer_comm', 'MPI_INT', 'crashes'),
    ('Comm_disconnect', '.*', '.*MPI_COMM_(WORLD|SELF).*', 'permitted'),
    ('Type_(commit|free)|Type_create_f90.*', '.*', 'NULL', 'crashes'),
    ('Type_create_(sub|d)array', r'int (ndims|array_of_.*)', '.*', 'not looked at, or crashes'),
    ('Type_(create_)?struct', '.*', r'.*MPI_COMM_WORLD.*', 'not looked at'),
    ('(Unp|P)ack.*', r'.* \*position|char .*', '.*', 'not looked at'),
    ('Group_.*', r'int ranks1?\[\]|int ranges\[\]\[3\]', 'NULL', 'reads it'),
    ('Error_(string|class)|Add_error_.*', '.*', '-1|INT_M..|MPI_ERR_ARG', 'not looked at'),
    ('.*rrhandler.*', r'MPI_Errhandler \*?errhandler', '.*_(errhandler|handler).*', 'not looked at'),
    ('Alloc_mem', 'MPI_Aint size', 'LONG_MAX', 'gives NULL'),
    ('Free_mem', r'void \*base', '.*', 'crashes'),
    ('Dims_create', 'int nnodes', '0', 'not looked at'),
    ('Cart_get', '.*', 'MPI_COMM_SELF|0', 'not looked at'),
    ('Cart_(create|map)', r'int dims\[\]', '.*[12].*', 'not looked at, or MPI_ERR_ARG'),
    ('Graph_(create|map)', '.*', r'-1|.*\{-?1\}', 'not looked at'),
    ('Dist_graph_create_adjacent', r'int \w+\[\]', '.*', 'not looked at'),
    ('Info_free', '.*', '.*MPI_INFO_ENV.*', 'permitted'),
    ('Comm_spawn_multiple', '.*array_of_info.*', 'NULL', 'reads it'),
    ('Win_detach', '.*', 'ints', 'not looked at'),
    ('File_.*', r'(void|MPI_Status|MPI_Request|MPI_Offset|MPI_Datatype|MPI_File|int) \*\w+', 'NULL',
     'not looked at, or MPI_ERR_IO'),
    ('File_get_byte_offset', '.*', '-1', 'not looked at'),
    ('File_.*', 'MPI_File fh|MPI_Info info', '.*', 'not looked at, or another class'),
    ('File_.*', r'char \*\w+', 'NULL', 'another class'),
    ('File_set_view', r'MPI_Datatype \w+', 'MPI_DATATYPE_NULL', 'MPI_ERR_ARG'),
    ('T_.*_free', '.*', 'NULL', 'crashes'),
    ('T_pvar_handle_alloc', '.*', '.*', 'crashes'),

    # another class, or another order
    (REDUCTIONS + '|Reduce_local', 'MPI_Datatype datatype', '.*', 'MPI_ERR_OP: it fits no type'),
    ('Buffer_attach|(Unp|P)ack.*|Fetch_and_op|Compare_and_swap', r'void \*\w+', 'NULL',
     'MPI_ERR_ARG'),
    (NEIGHBOR, 'MPI_Comm comm', 'MPI_COMM_SELF', 'the topology comes last'),
    ('Cart_(create|map)|Dims_create', 'int ndims', '.*', 'MPI_ERR_ARG'),
    ('Type_get_contents|Type_create_f90_.*', r'int \w+', '.*', 'MPI_ERR_OTHER'),
    ('Group_range_.*', '.*', r'.*\{\{1, 1, 1\}\}', 'MPI_ERR_ARG'),
    ('Info_.*|(Comm|Win|File)_set_info', '.*', '.*MPI_INFO_NULL.*', 'MPI_ERR_ARG'),
    ('Win_.*', 'int (assert|lock_type)', '.*', 'MPI_ERR_ARG'),
]
