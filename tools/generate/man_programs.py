"""Manual pages of programs and of the settings, for gen_man.py.

Those of the wrapper compilers are made from the first comment of cmake/wrapper.in, which is what
`mpicc -help` prints, too; that of the settings from what `starling_info --settings` prints."""
import re

WRAPPER_ENVIRONMENT = [
    ('STARLING_{variable}, MPICH_{variable}, OMPI_{variable}',
     'The compiler, which may be several words; the first of them that is set counts.'),
]
FORTRAN_ENVIRONMENT = [
    ('STARLING_F90, STARLING_F77 and so on', 'Likewise for mpif90 and mpif77; they come before those '
     'of FC.'),
    ('XDG_CACHE_HOME', 'Where modules are made for a compiler that has none in the prefix, if that '
     'cannot be written: in its folder starling.'),
]
WRAPPER_TEXT = {
    'mpicc': 'Compiles and links C as the compiler does, and tells it where mpi.h and libmpi are. '
             'mpicxx, mpic++ and mpiCC do the same for C++, which uses the interface of C.',
    'mpifort': 'Compiles and links Fortran as the compiler does, and tells it where the modules mpi '
               'and mpi_f08, mpif.h and the libraries are. mpif90 and mpif77 do the same. Modules for '
               'another compiler than that which built the library are made when it is first used. '
               'The compiler gets -fallow-argument-mismatch where mpif.h needs it.',
}
WRAPPER_NOTES = [
    'Ours is linked whatever other libmpi.so a directory of -L has. What would link the library of '
    'another MPI as well, or takes the mpi.h of Open MPI, is an error that names the argument. There is no '
    'static library: -static is an error, and with -static-mpi libmpi.so is linked.',
    'Programs find libmpi.so by their RUNPATH, also when the tree of the library is found through a '
    'link; LD_LIBRARY_PATH comes before it.',
]


def roff(text):
    """Text for roff, where '-' is a minus."""
    text = text.replace('\\', '\\e').replace('-', '\\-')
    return '\\&' + text if text[:1] in ".'" else text


def head(name, section, version, short, title):
    """The first lines of a page."""
    yield f'.TH {name} {section} "" "Starling {version}" "{title}"'
    yield from ['.SH NAME', f'{name} \\- {short}', '.SH SYNOPSIS']


def see_also(*pages):
    """The last lines of a page."""
    yield '.SH SEE ALSO'
    yield ',\n'.join(f'.BR {name} ({section})' for name, section in pages).replace('),\n', '),\n')


def listed(items):
    """A list of terms and their texts."""
    for term, text in items:
        yield from ['.TP', f'.B {roff(term)}', roff(text)]


def wrapper_options(template, words):
    """(option, text) of the first comment of the wrapper."""
    text = template[:template.index('set -f')]
    for word, value in words.items():
        text = text.replace(f'@{word}@', value)
    found = []
    for line in text.split('\n'):
        m = re.match(rf'#   {re.escape(words["NAME"])} (\S+(?: \S+)?) {{2,}}(.*)', line)
        if m:
            found.append(list(m.groups()))
        elif found and re.match(r'# {20,}\S', line):
            found[-1][1] += ' ' + line[1:].strip()
    return found


def wrapper_page(template, version, name, variable):
    """mpicc(1) and mpifort(1)."""
    words = {'NAME': name, 'OPTION': variable.lower(), 'VARIABLE': variable}
    language = 'Fortran' if variable == 'FC' else 'C'
    yield from head(name, 1, version, f'compiles and links MPI programs in {language}', 'MPI programs')
    yield f'.B {name}\n[options] [arguments of the compiler]'
    yield from ['.SH DESCRIPTION', roff(WRAPPER_TEXT[name])]
    for note in WRAPPER_NOTES:
        yield from ['.PP', roff(note)]
    yield from ['.SH OPTIONS', 'All others are those of the compiler.']
    yield from listed(wrapper_options(template, words))
    environment = WRAPPER_ENVIRONMENT + FORTRAN_ENVIRONMENT * (variable == 'FC')
    yield '.SH ENVIRONMENT'
    yield from listed([(term.format(variable=variable), text) for term, text in environment])
    yield from see_also(('mpiexec', 1), ('starling_info', 1), ('MPI_Init', 3))


def info_page(version):
    """starling_info(1)."""
    yield from head('starling_info', 1, version, 'prints what a library of Starling MPI has',
                    'MPI programs')
    yield '.B starling_info\n[\\-\\-settings]'
    yield from ['.SH DESCRIPTION', 'Prints the version of the library in its tree, how that was built, its '
                'devices, its optional libraries, and the path of the file starling.conf that it reads.']
    yield from listed([('--settings', 'Prints all settings: the name, the present value, the default, '
                        'where the value comes from, and what it is for.')])
    yield from see_also(('mpiexec', 1), ('starling-settings', 7))


def settings(text):
    """(name, default, sentence) of each setting in what starling_info --settings prints."""
    return re.findall(r'^STARLING_(\w+)=.*? \(default (.*?)(?:, from .*)?\)\n    (.*)$', text, re.M)


def settings_page(version, text):
    """starling-settings(7)."""
    yield from head('starling-settings', 7, version, 'settings of Starling MPI', 'MPI programs')
    yield '.B STARLING_NAME=VALUE mpiexec ...\n.br\n.B mpiexec \\-set NAME=VALUE ...'
    yield from ['.SH DESCRIPTION', 'Nothing has to be set. A setting has the value of the last of these '
                'that name it: its default; the file', '.I etc/starling.conf',
                'of the tree that libmpi.so is in (with the prefix /usr', '.IR /etc/starling.conf );',
                'the file that the environment variable STARLING_SETTINGS names; the environment, with '
                'STARLING_ before the name; \\-set of', '.BR mpiexec (1).', '.PP',
                'A file has a line NAME=VALUE for each setting; # begins a comment. Sizes may end in k, m, g '
                'or t. A name that is unknown, and a value that cannot be read, is reported and left out. '
                'starling_info \\-\\-settings prints the values and where each is from.', '.SH SETTINGS']
    for name, default, doc in settings(text):
        yield from ['.TP', f'.BR STARLING_{name} " (default {roff(default)})"', roff(doc)]
    yield from see_also(('mpiexec', 1), ('starling_info', 1))


def program_pages(version, template, text):
    """{file: lines} of all pages of this module."""
    pages = {'man1/mpicc.1': wrapper_page(template, version, 'mpicc', 'CC'),
             'man1/mpifort.1': wrapper_page(template, version, 'mpifort', 'FC'),
             'man1/starling_info.1': info_page(version),
             'man7/starling-settings.7': settings_page(version, text),
             'man5/starling.conf.5': ['.so man7/starling-settings.7']}
    pages |= {f'man1/{name}.1': ['.so man1/mpicc.1'] for name in ('mpicxx', 'mpic++', 'mpiCC')}
    pages |= {f'man1/{name}.1': ['.so man1/mpifort.1'] for name in ('mpif90', 'mpif77')}
    return pages
