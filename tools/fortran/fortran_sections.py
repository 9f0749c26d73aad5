"""C functions of mpi_f08 with choice buffers: mpi_x_f08ts_ takes descriptors of arrays.

Each function has four forms, for two descriptors and for MPI_x and PMPI_x. They call C's function at
once when all buffers are without gaps, else a function that sections.h makes up for gaps."""
import re

import fortran_args

# The use of a buffer (enum f_use in sections.h), by 'Function buffer'. Neighbor_, I and _init are cut
# off. Without a row F_BLOCK. The first that matches decides.
USE = [
    (r'(Get_address|Free_mem|Win_detach) \w+|File_\w+_end buf', 'F_ADDRESS'),
    (r'(Win_create|Win_attach) base|Buffer_attach buffer', 'F_MEMORY'),
    (r'(Fetch_and_op|Compare_and_swap) \w+', 'F_ONE'),
    (r'Pack(_external)? outbuf|Unpack(_external)? inbuf', 'F_BYTES'),
    (r'alltoallw \w+', 'F_TYPED'),
    (r'reduce_scatter(_block)? sendbuf', 'F_SHARES'),
    (r'reduce_scatter(_block)? recvbuf', 'F_SHARE'),
    (r'(reduce|allreduce|scan|exscan|reduce_local) \w+', 'F_ELEMENTS'),
    (r'(gatherv|allgatherv|alltoallv) recvbuf|(scatterv|alltoallv) sendbuf', 'F_UNITS'),
    (r'(gather|allgather|alltoall) recvbuf|(scatter|alltoall) sendbuf', 'F_BLOCKS'),
]
# The processes to which it means something (enum f_for).
SIGNIFICANT = [
    (r'(gatherv?|reduce) recvbuf|scatterv? sendbuf', 'F_ROOT'),
    (r'(gatherv?|reduce) sendbuf|scatterv? recvbuf', 'F_OTHERS'),
]
# Operations that end at a later call on a window.
ONE_SIDED = re.compile(r'MPI_(Put|Get|Accumulate|Get_accumulate|Fetch_and_op|Compare_and_swap)')
LATER = re.compile(r'MPI_\w+_(init|begin)')

FORMS = [ # name of the procedure, C's function, descriptor, its name in descriptor.h
    ('mpi_{}_f08ts_', 'MPI_', 'array'), ('pmpir_{}_f08ts_', 'PMPI_', 'array'),
    ('mpir_{}_cdesc', 'MPI_', 'cfi'), ('pmpir_{}_cdesc', 'PMPI_', 'cfi'),
]


def row(rows, function, buffer, default):
    """The value for a buffer in one of the tables."""
    name = function.name[4:]
    if not re.match(r'(File|Win|Get|Put|Pack|Unpack|Buffer|Free|Fetch|Compare)_?', name):
        name = re.sub(r'^(I?neighbor_|I)(?=[a-z])|_init$', '', name, flags=re.I).lower()
    return fortran_args.first(rows, f'{name} {buffer.name}') or default


def functions(header):
    """The functions with choice buffers that mpi_f08 has, with their arguments."""
    for function in fortran_args.functions(header):
        args = fortran_args.arguments(header, function)
        if function.name not in fortran_args.REMOVED and any(a.kind == 'buffer' for a in args):
            yield function, args


def short_name(function):
    """The name in Fortran without prefix: isend."""
    return function.name[4:].lower()


def is_by_value(a):
    """Whether C takes an argument by value."""
    return a.kind in ('value', 'handle') and not a.dims and a.intent == 'in'


def parameter(a, descriptor):
    """How the C function for Fortran declares an argument."""
    const = 'const ' if a.intent == 'in' else ''
    if a.kind == 'buffer':
        return f'const struct {descriptor} *{a.name}'
    if a.kind == 'status':
        return f'MPI_Fint *{a.name}'
    if a.kind == 'file':
        return f'const MPI_Fint *{a.name}'
    return f'{const}{a.ctype} *{a.name}'


def parameters(args, descriptor):
    """All of them; the lengths of strings are behind ierror."""
    texts = [parameter(a, descriptor) for a in args] + ['MPI_Fint *ierror']
    return texts + [f'size_t {a.name}_len' for a in args if a.kind == 'string']


def passed(a):
    """What C's function gets for an argument that is no buffer."""
    if a.kind == 'status':
        return f'f_status({a.name})'
    if a.kind == 'file':
        return f'PMPI_File_f2c(*{a.name})'
    if a.kind == 'string':
        return f'{a.name}_c'
    return ('*' if is_by_value(a) else '') + a.name


def after(args, buffer, wanted):
    """The first argument after a buffer for which wanted() is true; or None."""
    return next((a for a in args[args.index(buffer) + 1:] if wanted(a)), None)


def count_of(args, buffer):
    """The argument with the number of a buffer's elements."""
    return after(args, buffer, lambda a: re.fullmatch(r'\w*count', a.name) and is_by_value(a))


def type_of(args, buffer):
    """The argument with the datatype of a buffer."""
    return after(args, buffer, lambda a: a.ctype == 'MPI_Datatype' and is_by_value(a))


def peer_of(args, buffer):
    """The argument with the rank because of which a buffer may mean nothing."""
    name = 'root|dest|source|target_rank'
    found = after(args, buffer, lambda a: re.fullmatch(name, a.name))
    return f'*{found.name}' if found else '0'


def whose(function, buffer):
    """Which processes have a part of a buffer: enum f_whose."""
    if 'eighbor' in function.name:
        return 'F_SOURCES' if buffer.name == 'recvbuf' else 'F_DESTINATIONS'
    return 'F_PEERS'


def array_fields(args, buffer):
    """The fields with a number for each process."""
    counts = after(args, buffer, lambda a: a.name.endswith('counts'))
    displs = after(args, buffer, lambda a: a.name.endswith('displs'))
    types = after(args, buffer, lambda a: a.name.endswith('types'))
    if counts:
        yield f'.counts = {counts.name}'
    if displs:
        yield f'.{"displs" if displs.ctype == "int" else "wide_displs"} = {displs.name}'
    if types:
        yield f'.types = {types.name}'


def time_of(function, args):
    """enum f_time."""
    if LATER.fullmatch(function.name) or ONE_SIDED.fullmatch(function.name):
        return 'F_LATER'
    return 'F_AT_REQUEST' if args[-1].name == 'request' else 'F_AT_RETURN'


def object_of(args):
    """The fields of struct f_object."""
    given = {a.ctype: passed(a) for a in args if a.intent == 'in'}
    return (f'{given.get("MPI_Comm", "MPI_COMM_NULL")}, {given.get("MPI_Win", "MPI_WIN_NULL")}, '
            f'{given.get("MPI_File", "MPI_FILE_NULL")}')


def buffers_of(args):
    """The buffers."""
    return [a for a in args if a.kind == 'buffer']


def blocks_name(use, b):
    """The variable that describes the parts of a buffer; None when there are none."""
    return f'of_{b.name}' if use in ('F_BLOCKS', 'F_UNITS', 'F_SHARES', 'F_SHARE', 'F_TYPED') else None


def blocks(function, args, b):
    """The definition of that variable."""
    use = row(USE, function, b, 'F_BLOCK')
    fields = ', '.join([f'.whose = {whose(function, b)}', *array_fields(args, b)])
    if blocks_name(use, b):
        yield f'    const struct f_blocks {blocks_name(use, b)} = {{ {fields} }};'


def choice(function, args, i, b):
    """The initializer of a choice buffer of struct f_call."""
    use = row(USE, function, b, 'F_BLOCK')
    significant = row(SIGNIFICANT, function, b, 'F_ALL')
    fields = [f'.from = any[{i}]', f'.use = {use}', f'.significant = {significant}',
              f'.out = {int(b.intent != "in")}', f'.peer = {peer_of(args, b)}']
    count = count_of(args, b)
    if use in ('F_BLOCK', 'F_BLOCKS', 'F_ELEMENTS', 'F_SHARES', 'F_SHARE') and count:
        fields.append(f'.count = *{count.name}')
    elif use in ('F_ONE', 'F_UNITS'):
        fields.append('.count = 1')
    if blocks_name(use, b):
        fields.append(f'.blocks = &{blocks_name(use, b)}')
    if use == 'F_BYTES':
        size = after(args, b, lambda a: a.name in ('insize', 'outsize'))
        fields.append(f'.bytes = *{size.name}')
    elif use not in ('F_ADDRESS', 'F_MEMORY', 'F_TYPED'):
        fields.append(f'.type = *{type_of(args, b).name}')
    return f'{{ {", ".join(fields)} }}'


def gap_arguments(function, args):
    """What C's function gets when buffers have gaps."""
    replaced = {}
    for i, b in enumerate(buffers_of(args)):
        use = row(USE, function, b, 'F_BLOCK')
        replaced[b.name] = f'choice[{i}].address'
        if use in ('F_BLOCK', 'F_BLOCKS'):
            replaced[count_of(args, b).name] = f'choice[{i}].count'
        if use in ('F_BLOCK', 'F_BLOCKS', 'F_UNITS'):
            replaced[type_of(args, b).name] = f'choice[{i}].type'
    return [replaced.get(a.name) or passed(a) for a in args]


def quick(function, args):
    """The common case first: the function that the buffer alone decides about (sections.h)."""
    b = buffers_of(args)
    if len(b) != 1 or row(USE, function, b[0], 'F_BLOCK') != 'F_BLOCK' or time_of(
            function, args) == 'F_LATER':
        return
    receives = re.fullmatch('MPI_M?[Rr]ecv', function.name)
    if b[0].intent != 'in' and not receives:
        return
    given = [{'buffer': 'f_copy_address(copy)', 'status': 's'}.get(a.kind) or passed(a)
             for a in args]
    if not receives:
        given = [g if a.kind == 'buffer' else passed(a) for g, a in zip(given, args)]
    request = 'err ? NULL : request' if args[-1].name == 'request' else 'NULL'
    yield (f'    const struct f_quick q = {{ any, *{count_of(args, b[0]).name}, {peer_of(args, b[0])}, '
           f'*{type_of(args, b[0]).name}, &arguments }};')
    if receives:
        yield '    struct f_section section;'
        yield '    struct f_copy *copy = f_quick_room(&q, &section);'
    else:
        yield '    struct f_copy *copy = f_quick_copy(&q);'
    yield ''
    yield '    if (copy) {'
    if receives:
        yield '        MPI_Status own, *s = f_status(status);'
        yield '        if (s == MPI_STATUS_IGNORE)'
        yield '            s = &own;'
    yield f'        int err = call({", ".join(given)});'
    yield ('        f_quick_received(copy, &section, err, s);' if receives else
           f'        f_quick_end(copy, {request});')
    yield '        return err;'
    yield '    }'


def shown(args):
    """For error texts: where the values of all arguments are, and of pointers themselves."""
    buffers = buffers_of(args)
    for a in args:
        if a.kind == 'buffer':
            yield f'f_buffer(*(void *const *) any[{buffers.index(a)}].descriptor)'
        else:
            yield passed(a).removeprefix('*')


def with_gaps(function, args):
    """The function that all forms call when buffers have gaps."""
    others = [parameter(a, '') for a in args if a.kind not in ('buffer', 'string')]
    others += [f'const char *{a.name}_c' for a in args if a.kind == 'string']
    head = [f'__typeof__(P{function.name}) *call', 'const struct f_any *any'] + others
    choices = [choice(function, args, i, b) for i, b in enumerate(buffers_of(args))]
    yield f'static APART int {short_name(function)}({", ".join(head)})'
    yield '{'
    yield f'    const void *const values[] = {{ {", ".join(shown(args))} }};'
    yield (f'    const struct mpir_arguments arguments = {{ "{function.name}", '
           f'"{", ".join(a.param.name for a in args)}", values }};')
    yield from quick(function, args)
    for b in buffers_of(args):
        yield from blocks(function, args, b)
    yield '    struct f_choice choice[] = { ' + (',\n' + ' ' * 32).join(choices) + ' };'
    yield (f'    struct f_call c = {{ "{function.name}", {{ {object_of(args)} }}, '
           f'{time_of(function, args)}, {len(choices)}, choice, &arguments }};')
    yield '    int err = f_begin(&c);'
    yield ''
    request = args[-1].name == 'request'
    if request:
        yield '    if (err)'
        yield '        *request = MPI_REQUEST_NULL;'
    yield '    if (err)'
    yield '        return err;'
    yield f'    err = call({", ".join(gap_arguments(function, args))});'
    yield f'    return f_end(&c, err, {"request" if request else "NULL"});'
    yield '}'
    yield ''


def form(function, args, name, prefix, descriptor):
    """One of the four forms: a function for the shortest path, and one for the rest.

    In the first ierror is volatile, so that it stays in memory while C's function is called: a
    register for it would have to be saved."""
    buffers, strings = buffers_of(args), [a for a in args if a.kind == 'string']
    given = [f'f_buffer({a.name}->base)' if a.kind == 'buffer' else passed(a) for a in args]
    others = [a.name for a in args if a.kind not in ('buffer', 'string')]
    others += [f'{a.name}_c' for a in strings]
    any_of = ', '.join(f'{{ {b.name}, f_read_{descriptor} }}' for b in buffers)
    head = ', '.join(parameters(args, f'f_{descriptor}'))
    names = ', '.join([a.name for a in args] + ['ierror'] + [f'{s.name}_len' for s in strings])
    c_name = prefix + function.name[4:]
    dense, whole = (' && '.join(f'f_{descriptor}_is_{what}({b.name})' for b in buffers)
                    for what in ('dense', 'whole'))
    direct = f'{c_name}({", ".join(given)})'
    with_any = ', '.join([c_name, f'(struct f_any[]) {{ {any_of} }}'] + others)
    gaps = f'{short_name(function)}({with_any})'
    yield f'static APART void {name}_rest({head})'
    yield '{'
    for s in strings:
        yield f'    struct f_text {s.name}_t;'
        yield (f'    const char *{s.name}_c = '
               f'f_text(&{s.name}_t, {s.name}, {s.name}_len, false);')
    yield f'    int err = {dense}'
    yield f'                  ? {direct}'
    yield f'                  : {gaps};'
    yield ''
    for s in strings:
        yield f'    f_text_free(&{s.name}_t);'
    yield '    f_ierror(ierror, err);'
    yield '}'
    yield ''
    yield f'VISIBLE void {name}({head});'
    yield f'void {name}({head.replace("*ierror", "*volatile ierror")})'
    yield '{'
    if not strings:
        yield f'    if (__builtin_expect({whole}, 1))'
        yield f'        f_ierror(ierror, {direct});'
        yield '    else'
    yield f'        {name}_rest({names});'
    yield '}'
    yield ''


def sync_reg():
    """MPI_F_SYNC_REG: that it is called is all. It reads no descriptor, so any compiler's will do."""
    for name in ('mpi_f_sync_reg_f08ts_', 'pmpir_f_sync_reg_f08ts_'):
        yield ''
        yield f'VISIBLE void {name}(const void *buf);'
        yield f'void {name}(const void *buf) {{ (void) buf; }}'


def lines(header):
    """The lines of the file."""
    yield '/* Made by gen_fortran.py from mpi.h. */'
    yield '#include "mpi/fortran/sections.h"'
    yield ''
    yield '#define APART __attribute__((noinline)) /* where the short path has no use for registers */'
    yield '#define VISIBLE __attribute__((visibility("default")))'
    yield from sync_reg()
    for function, args in functions(header):
        yield ''
        yield f'/* ---- {function.name} ---- */'
        yield ''
        yield from with_gaps(function, args)
        for name, prefix, descriptor in FORMS:
            yield from form(function, args, name.format(short_name(function)), prefix, descriptor)
