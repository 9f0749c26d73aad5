"""Writes fortran_calls.c: the C functions that Fortran calls, mpi_x_ and pmpi_x_.

pmpi_x_ calls PMPI_x; mpi_x_ calls MPI_x, so that a tool in C sees each call of a Fortran program
once, and is weak, so that a tool in Fortran can take its place."""
import re

import fortran_args as args

# What is by hand, in src/mpi/fortran: int f_x(C function, arguments of Fortran without ierror),
# and why.
ATTRIBUTE = 'the value is an integer, of which C sees the address'
CALLBACK = "the user's procedure has Fortran's arguments"
NARROW = 'addresses are INTEGERs'
HAND = {'MPI_' + name: why for names, why in (
    ('Comm_set_attr Type_set_attr Win_set_attr Attr_put Comm_get_attr Type_get_attr Win_get_attr '
     'Attr_get', ATTRIBUTE),
    ('Comm_create_keyval Type_create_keyval Win_create_keyval Keyval_create Op_create '
     'Comm_create_errhandler Win_create_errhandler File_create_errhandler Errhandler_create '
     'Grequest_start Register_datarep', CALLBACK),
    ('Address Type_extent Type_lb Type_ub Type_hvector Type_hindexed Type_struct', NARROW),
    ('Info_get', 'the value has no place for a terminator'),
    ('Buffer_detach', 'buffer_addr is unused, but in mpi_f08'),
    ('Waitsome Testsome', 'outcount tells how many indices to count from 1'),
    ('Cart_get', 'the communicator tells how many truth values there are'),
    ('Comm_spawn Comm_spawn_multiple', 'lists of words end in an empty one, and matter at root alone'),
) for name in names.split()}

# Room for what a string argument receives.
ROOM = [(r'\w+_get_name \w+', 'MPI_MAX_OBJECT_NAME'), (r'Error_string \w+', 'MPI_MAX_ERROR_STRING'),
        (r'Get_library_version \w+', 'MPI_MAX_LIBRARY_VERSION_STRING'),
        (r'Get_processor_name \w+', 'MPI_MAX_PROCESSOR_NAME'),
        (r'Info_get_nthkey \w+', 'MPI_MAX_INFO_KEY + 1'),
        (r'(Open_port|Lookup_name) \w+', 'MPI_MAX_PORT_NAME'),
        (r'File_get_view \w+', 'MPI_MAX_DATAREP_STRING')]

# The predefined callbacks: the C function that each means, and its parameters. They are never
# called by their addresses, but a program may call them itself.
COPY = ('MPI_Fint *object, MPI_Fint *keyval, MPI_Aint *extra, MPI_Aint *in, MPI_Aint *out, '
        'MPI_Fint *flag, MPI_Fint *ierror')
OLD_COPY = COPY.replace('MPI_Aint', 'MPI_Fint')
DELETE = 'MPI_Fint *object, MPI_Fint *keyval, MPI_Aint *value, MPI_Aint *extra, MPI_Fint *ierror'
OLD_DELETE = DELETE.replace('MPI_Aint', 'MPI_Fint')
CONVERSION = ('void *userbuf, MPI_Fint *datatype, MPI_Fint *count, void *filebuf, '
              'MPI_Offset *position, MPI_Aint *extra, MPI_Fint *ierror')
NULL_COPY = ['*flag = f_logical(0);', 'f_ierror(ierror, MPI_SUCCESS);']
DUP = ['*out = *in;', '*flag = f_logical(1);', 'f_ierror(ierror, MPI_SUCCESS);']
NOTHING = ['f_ierror(ierror, MPI_SUCCESS);']
PREDEFINED = [row for p in ('comm_', 'type_', 'win_', '')
              for row in ((p + 'null_copy_fn', COPY if p else OLD_COPY, NULL_COPY),
                          (p + 'null_delete_fn', DELETE if p else OLD_DELETE, NOTHING),
                          (p + 'dup_fn', COPY if p else OLD_COPY, DUP))]
PREDEFINED.append(('conversion_fn_null', CONVERSION, NOTHING))

# Types of arguments in Fortran; of the others that of KIND.
KIND = {'handle': 'MPI_Fint', 'file': 'MPI_Fint', 'logical': 'MPI_Fint', 'index': 'MPI_Fint',
        'status': 'MPI_Fint', 'buffer': 'void', 'string': 'char', 'strings': 'char', 'address': 'void',
        'attr': 'MPI_Aint', 'extra': 'MPI_Aint', 'callback': 'f_procedure'}
STRINGS = ('string', 'strings')
STRIP = ('MPI_Info_set', 'MPI_Info_delete', 'MPI_Info_get', 'MPI_Info_get_valuelen')


def narrow(name):
    """Whether addresses are INTEGERs."""
    return name in args.REMOVED or name in args.DEPRECATED


def fortran_type(function, a):
    """What a points to."""
    ctype = KIND.get(a.kind) or ('MPI_Fint' if a.ctype == 'int' else a.ctype)
    return 'MPI_Fint' if narrow(function.name) and ctype == 'MPI_Aint' else ctype


def parameters(function, arguments):
    """The parameters of the C function that Fortran calls, without ierror, and the lengths of strings
    behind it."""
    return ([f'{fortran_type(function, a)} *{a.name}' for a in arguments],
            [f'size_t {a.name}_len' for a in arguments if a.kind in STRINGS])


class Call:
    """The C call of one function: what is before it, its arguments, what is behind it."""

    def __init__(self, function, arguments):
        self.function = function
        self.before, self.after, self.free = [], [], []
        made = {a.name: getattr(self, 'arg_' + a.kind)(a) for a in arguments}
        # The arguments of main, which Fortran does not have, are null.
        self.actual = [made.get(p.name, 'NULL') for p in function.parameters]

    def arg_value(self, a):
        """Integers of one size in both languages."""
        if a.ctype == 'int' and 'weights' in a.name:
            return f'f_weights({a.name})'
        if a.param.array.startswith('[]['):
            return f'(int (*){a.param.array[2:]}) {a.name}'
        if a.param.stars or a.param.array:
            return a.name
        if a.name.endswith('keyval'):
            return f'MPIR_Attr_key(*{a.name})'
        return '*' + a.name

    def arg_handle(self, a):
        """The same integer."""
        return a.name if a.param.stars or a.param.array else '*' + a.name

    def arg_file(self, a):
        """A pointer in C."""
        if a.intent == 'in':
            return f'PMPI_File_f2c(*{a.name})'
        old = 'MPI_FILE_NULL' if a.intent == 'out' else f'PMPI_File_f2c(*{a.name})'
        self.before.append(f'MPI_File c_{a.name} = {old};')
        self.after.append(f'*{a.name} = PMPI_File_c2f(c_{a.name});')
        return f'&c_{a.name}'

    def arg_logical(self, a):
        """Arrays that C only reads are the same: for C, too, all values but 0 are true."""
        if a.intent == 'in':
            return a.name if a.dims else f'f_truth(*{a.name})'
        self.before.append(f'int c_{a.name} = F_UNSET;')
        self.after.append(f'f_logical_out({a.name}, c_{a.name});')
        return f'&c_{a.name}'

    def arg_index(self, a):
        """One place: arrays of them are by hand."""
        self.before.append(f'int c_{a.name} = F_UNSET;')
        self.after.append(f'f_index_out({a.name}, c_{a.name});')
        return f'&c_{a.name}'

    def arg_status(self, a):
        """The same integers, but for MPI_STATUS_IGNORE."""
        return f'{"f_statuses" if a.dims else "f_status"}({a.name})'

    def arg_buffer(self, a):
        """An address, or a name for one."""
        return f'f_buffer({a.name})'

    def arg_address(self, a):
        """C sets a pointer there; Fortran sees an integer of the same size, or a TYPE(C_PTR)."""
        return a.name

    def arg_string(self, a):
        """In, a copy with a terminator; out, C's string with blanks."""
        text = f'{self.function.name[4:]} {a.name}'
        if a.intent == 'in':
            strip = 'true' if self.function.name in STRIP else 'false'
            self.before.append(f'struct f_text c_{a.name};')
            self.free.append(f'f_text_free(&c_{a.name});')
            return f'f_text(&c_{a.name}, {a.name}, {a.name}_len, {strip})'
        self.before.append(f'char c_{a.name}[{args.first(ROOM, text)}];')
        done = f'f_string_out({a.name}, {a.name}_len, c_{a.name})'
        if any(p.name == 'resultlen' for p in self.function.parameters):
            done = f'*resultlen = {done}'
        self.after.append(f'if (!err)\n        {done};')
        return f'c_{a.name}'

    def lines(self, name):
        """The body of the C function, which calls name."""
        call = f'{name}({", ".join(self.actual)})'
        if not (self.before or self.after or self.free):
            yield f'    f_ierror(ierror, {call});'
            return
        for line in self.before:
            yield f'    {line}'
        yield f'    int err = {call};'
        yield ''
        for line in self.after + self.free:
            yield f'    {line}'
        yield '    f_ierror(ierror, err);'


def definition(symbol, result, params, body, weak=False):
    """A C function with its prototype, and the other spellings of its name, which other compilers
    use. ierror stays in memory: a register for it would have to be saved."""
    head = f'{result} {symbol}({", ".join(params) or "void"})'
    yield f'{"F_WEAK " if weak else ""}{head};'
    yield head.replace('*ierror', '*volatile ierror')
    yield '{'
    yield from body
    yield '}'
    for other in (symbol + '_', symbol[:-1], symbol[:-1].upper()):
        yield f'F_ALIAS({symbol}, {other});'


def by_hand(function, arguments, name):
    """The body of a function whose work is done by hand."""
    names = [name] + [a.name for a in arguments]
    names += [f'{a.name}_len' for a in arguments if a.kind in STRINGS]
    yield f'    f_ierror(ierror, f_{function.name[4:].lower()}({", ".join(names)}));'


def has_f08(function, arguments):
    """Whether mpi_f08 calls it as it is: those with a choice buffer are fortran_sections.py's."""
    return (function.name not in args.REMOVED and function.name != 'MPI_Buffer_detach'
            and not any(a.kind == 'buffer' for a in arguments))


def procedure(header, function):
    """mpi_x_, pmpi_x_ and their other names."""
    arguments = args.arguments(header, function)
    before, behind = parameters(function, arguments)
    low = function.name.lower()
    yield ''
    if function.name in HAND:
        yield f'/* By hand: {HAND[function.name]}. */'
    for prefix in ('p', ''):
        name = prefix.upper() + function.name
        if function.name in args.FUNCTIONS:
            actual = ', '.join('*' + a.name for a in arguments)
            yield from definition(f'{prefix}{low}_', function.result, before,
                                  [f'    return {name}({actual});'], not prefix)
        else:
            body = (by_hand(function, arguments, name) if function.name in HAND
                    else Call(function, arguments).lines(name))
            yield from definition(f'{prefix}{low}_', 'void', before + ['MPI_Fint *ierror'] + behind,
                                  body, not prefix)
        if has_f08(function, arguments):
            yield f'F_F08({prefix}{low}_, {"pmpir" + low[3:] if prefix else low}_f08_);'


def predefined():
    """Predefined callbacks, and a table that knows them by all their addresses."""
    symbols = {}
    for name, params, body in PREDEFINED:
        symbol = f'pmpi_{name}_'
        yield ''
        yield f'#undef MPI_{name.upper()}'
        used = set(re.findall(r'\w+', ' '.join(body)))
        unused = [p for p in re.findall(r'\*(\w+)', params) if p not in used]
        yield from definition(symbol, 'void', params.split(', '),
                              [f'    (void) {p};' for p in unused] + ['    ' + b for b in body])
        others = [f'mpi_{name}_', f'mpi_{name}__', f'mpi_{name}', f'mpi_{name}'.upper(),
                  f'__mpi_f08_callbacks_MOD_mpi_{name}']
        for other in others:
            yield f'F_ALIAS({symbol}, {other});'
        symbols[name] = [symbol] + others
    yield ''
    yield 'const struct f_predefined f_predefined[] = {'
    for name, all_of_it in symbols.items():
        means = '(f_procedure *) MPIR_Dup_fn' if name.endswith('dup_fn') else 'NULL'
        for symbol in all_of_it:
            yield f'    {{ (f_procedure *) {symbol}, {means} }},'
    yield '};'
    yield 'const size_t f_predefined_count = sizeof(f_predefined) / sizeof(f_predefined[0]);'


# What mpi.h has no function for, or none of this form: name, parameters, body.
OWN = [
    ('f_sync_reg', ['void *buf'], ['    (void) buf; /* the compiler cannot know that */']),
    ('status_f2f08', ['MPI_Fint *f_status', 'MPI_F08_status *f08_status', 'MPI_Fint *ierror'],
     ['    f_ierror(ierror, {}MPI_Status_f2f08(f_status, f08_status));']),
    ('status_f082f', ['MPI_F08_status *f08_status', 'MPI_Fint *f_status', 'MPI_Fint *ierror'],
     ['    f_ierror(ierror, {}MPI_Status_f082f(f08_status, f_status));']),
]
# In module mpi the overloaded forms with TYPE(C_PTR) have names of their own.
CPTR = 'alloc_mem win_allocate win_allocate_shared win_shared_query'.split()


def own():
    """Procedures of Fortran alone."""
    for name, params, body in OWN:
        yield ''
        for prefix in ('p', ''):
            lines = [line.replace('{}', prefix.upper()) for line in body]
            yield from definition(f'{prefix}mpi_{name}_', 'void', params, lines, not prefix)
            if name.startswith('status'):
                yield f'F_F08({prefix}mpi_{name}_, {"pmpir" if prefix else "mpi"}_{name}_f08_);'
    yield ''
    for mpi, prefix in (('mpi', ''), ('pmpir', 'P')):
        head = (f'void {mpi}_buffer_detach_f08_(void *buffer_addr, MPI_Fint *size, '
                'MPI_Fint *ierror)')
        yield f'{head};'
        yield head
        yield '{'
        yield f'    f_ierror(ierror, {prefix}MPI_Buffer_detach(buffer_addr, size));'
        yield '}'
    yield ''
    for name in CPTR:
        for prefix in ('p', ''):
            symbol = f'{prefix}mpi_{name}_'
            for end in ('_cptr_', '_cptr__', '_cptr'):
                yield f'F_ALIAS({symbol}, {symbol[:-1]}{end});'
            yield f'F_ALIAS({symbol}, {(symbol[:-1] + "_cptr").upper()});'


def lines(header):
    """The lines of the file."""
    yield '/* fortran_calls.c, made by tools/fortran/fortran_c.py: the procedures that Fortran calls. */'
    yield '#include "mpi/fortran/handwritten.h"'
    for function in args.functions(header):
        yield from procedure(header, function)
    yield from own()
    yield from predefined()
