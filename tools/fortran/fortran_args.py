"""How the parameters of MPI's functions pass between Fortran and C: the one table of all generators.

A function is seen as a list of Arguments, made from the prototype in mpi.h by the rows below. All
generators for Fortran (C functions, mpif.h, both modules, tests) go by these alone."""
import collections
import re

# Kinds of arguments, and what they are in Fortran. 'array' of the same kinds when Argument.dims is set.
#   value    INTEGER, or of ADDRESS, COUNT, OFFSET kind: as ctype says
#   handle   a handle, ctype says of what; the same integer in both languages
#   file     a handle of a file: a pointer in C
#   logical  LOGICAL; an int in C
#   string   CHARACTER(*), without a terminator
#   strings  an array of CHARACTER(*): argv and its kin
#   index    a place in an array: from 1, in C from 0; MPI_UNDEFINED stays
#   status   a status, or an array of them
#   buffer   a choice buffer
#   address  the address of memory that MPI allocates: ADDRESS_KIND, or TYPE(C_PTR)
#   attr     the value of an attribute
#   extra    extra_state of a callback
#   callback a procedure of the user; ctype is the function type in C
KINDS = ('value handle file logical string strings index status buffer address attr extra '
         'callback').split()

# intent: 'in', 'out' or 'inout'. dims: None, or the bounds as Fortran writes them, as in '3,n' or '*'.
# asynchronous: MPI may access it after the call has returned (attribute ASYNCHRONOUS in mpi_f08).
# param: the Parameter of mpi.h.
Argument = collections.namedtuple('Argument', 'name kind intent dims asynchronous ctype param')

# What Fortran has no form of: handle conversion, the tool interface.
NO_FORTRAN = re.compile(r'MPI_(\w+_[cf]2[cf]|Status_(c2f08|f082c|f2f08|f082f)|T_\w+)')
# Functions, not subroutines.
FUNCTIONS = {'MPI_Wtime', 'MPI_Wtick', 'MPI_Aint_add', 'MPI_Aint_diff'}
# Removed in MPI 3.0: in mpif.h and module mpi alone. Their addresses are INTEGERs.
REMOVED = {'MPI_' + name for name in (
    'Address Errhandler_create Errhandler_get Errhandler_set Type_extent Type_hindexed Type_hvector '
    'Type_lb Type_struct Type_ub').split()}
# Deprecated, but in mpi_f08 as they are in mpi.
DEPRECATED = {'MPI_' + name for name in
              'Attr_delete Attr_get Attr_put Keyval_create Keyval_free'.split()}

# ---- rows: the first that matches 'Function argument' decides; all are whole matches --------------

KIND = [
    (r'\w+ (attribute_val)', 'attr'),
    (r'\w+ extra_state', 'extra'),
    (r'(Alloc_mem|Win_allocate(_shared)?|Win_shared_query) baseptr|Buffer_detach buffer_addr',
     'address'),
    (r'\w+ (flag|reorder|commute|high|complete|periods|remain_dims)|'
     r'Dist_graph_neighbors_count weighted|(Is_thread_main|File_[sg]et_atomicity) (flag|atomicity)|'
     r'\w+ atomicity', 'logical'),
    (r'(Waitany|Testany) indx|(Waitsome|Testsome) array_of_indices', 'index'),
    (r'\w+ (argv|array_of_commands|array_of_argv)', 'strings'),
]

INOUT = [
    r'(Wait|Test|Start|Request_free|Waitall|Testall|Waitany|Testany|Waitsome|Testsome|Startall) '
    r'(request|array_of_requests)',
    r'(Mrecv|Imrecv) message',
    r'(Comm_free|Comm_disconnect|Type_commit|Type_free|Errhandler_free|Group_free|Info_free|Op_free|'
    r'Win_free|File_close) (comm|datatype|errhandler|group|info|op|win|fh)',
    r'(\w+_free_keyval|Keyval_free) \w*keyval',
    r'(Pack|Unpack|Pack_external|Unpack_external) position',
    r'Status_set_\w+ status',
    r'Dims_create dims',
    r'(Bcast|Ibcast|Bcast_init|Sendrecv_replace) buf(fer)?|Reduce_local inoutbuf',
]
# What a call only reads though its prototype does not say so.
IN = [r'Cancel request', r'Group_range_\w+ ranges', r'(Type_hindexed|Type_struct) array_of_\w+',
      r'(Win_(create|attach|detach)|Free_mem) base', r'Buffer_attach buffer']

# Bounds of arrays; without a row '*'.
DIMS = [
    (r'(Waitall|Testall|Waitany|Testany|Startall) array_of_requests', 'count'),
    (r'(Waitsome|Testsome) array_of_requests', 'incount'),
    (r'Group_range_\w+ ranges', '3,n'),
    (r'Group_(incl|excl) ranks', 'n'),
    (r'Group_translate_ranks ranks[12]', 'n'),
    (r'Cart_(create|map|sub_dims) (dims|periods)', 'ndims'),
    (r'Dims_create dims', 'ndims'),
    (r'Cart_get (dims|periods|coords)|Cart_coords coords', 'maxdims'),
    (r'Graph_(create|map) indx', 'nnodes'),
    (r'Graph_get indx', 'maxindex'),
    (r'Graph_get edges', 'maxedges'),
    (r'Graph_neighbors neighbors', 'maxneighbors'),
    (r'Dist_graph_create (sources|degrees)', 'n'),
    (r'Dist_graph_create_adjacent sources', 'indegree'),
    (r'Dist_graph_create_adjacent destinations', 'outdegree'),
    (r'Dist_graph_neighbors sources', 'maxindegree'),
    (r'Dist_graph_neighbors destinations', 'maxoutdegree'),
    (r'Type_get_contents array_of_integers', 'max_integers'),
    (r'Type_get_contents array_of_addresses', 'max_addresses'),
    (r'Type_get_contents array_of_datatypes', 'max_datatypes'),
    (r'Type_create_(subarray|darray) array_of_\w+', 'ndims'),
    (r'Type_(create_struct|create_hindexed|create_hindexed_block|create_indexed_block|indexed|struct|'
     r'hindexed) array_of_\w+', 'count'),
    (r'Comm_spawn_multiple array_of_argv', 'count,*'),
]

# Calls that return before MPI is done with their arguments.
ASYNCHRONOUS = re.compile(
    r'MPI_(I(?!nfo|nit|s_|ntercomm|probe|mprobe)\w+|\w+_init|File_i\w+|\w+_(begin|end)|R?[Pp]ut|R?[Gg]et|'
    r'R?[Aa]ccumulate|R?[Gg]et_accumulate|Fetch_and_op|Compare_and_swap|Buffer_attach|Win_(create|attach|detach)|'
    r'Get_address|Free_mem)')
# What such a call writes later, beside buffers and arrays.
WRITTEN_LATER = re.compile(r'Comm_idup(_with_info)? newcomm')
# Of a pointer without '[]' in its name's declaration, whether it is an array.
ARRAY_BY_NAME = re.compile(r'array_of_\w+')


def first(rows, text):
    """The value of the first row that matches all of the text."""
    return next((value for pattern, value in rows if re.fullmatch(pattern, text)), None)


def kind_of(header, text, p):
    """One of KINDS."""
    kind = first(KIND, text)
    if kind:
        return kind
    if p.ctype.endswith('_function'):
        return 'callback'
    if p.ctype == 'void':
        return 'buffer'
    if p.ctype == 'char':
        return 'string'
    if p.ctype in ('MPI_Status', 'MPI_F08_status'):
        return 'status'
    if p.ctype == 'MPI_File':
        return 'file'
    return 'handle' if p.ctype in header.handles else 'value'


def intent_of(text, p, kind):
    """in, out or inout."""
    if kind in ('callback', 'extra') or p.const or not (p.stars or p.array):
        return 'in'
    if kind == 'attr':
        return 'out' if '_get ' in text or '_get_' in text else 'in'
    if kind == 'strings' or any(re.fullmatch(pattern, text) for pattern in IN):
        return 'in'
    return 'inout' if any(re.fullmatch(pattern, text) for pattern in INOUT) else 'out'


def argument(header, function, p):
    """The Argument of a Parameter."""
    text = f'{function.name[4:]} {p.name}'
    kind = kind_of(header, text, p)
    dims = None
    if kind != 'string' and (p.array or ARRAY_BY_NAME.fullmatch(p.name)):
        dims = first(DIMS, text) or '*'
    later = bool(WRITTEN_LATER.fullmatch(text) or ASYNCHRONOUS.fullmatch(function.name)
                 and (kind == 'buffer' or dims is not None))
    return Argument(p.name, kind, intent_of(text, p, kind), dims, later, p.ctype, p)


def arguments(header, function):
    """The arguments of a function in Fortran, without ierror."""
    skip = {'argc', 'argv'} if function.name in ('MPI_Init', 'MPI_Init_thread') else set()
    return [argument(header, function, p) for p in function.parameters if p.name not in skip]


def functions(header):
    """The functions of mpi.h that Fortran has."""
    return [f for f in header.functions.values() if not NO_FORTRAN.fullmatch(f.name)]
