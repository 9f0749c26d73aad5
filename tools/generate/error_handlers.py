"""Whose error handler gets the errors of a function (§8.3 of the standard).

The manual pages say so, and the test of all functions with bad arguments (gen_arg_tests.py) fails
when the library calls another one."""
import re

# What a function's errors go to, and the parameter that names it, as in the prototype without const.
# The first row whose two regular expressions match is used: of the function, without "MPI_", and of
# one of its parameters, the first in their order.
ROWS = [
    # No error handler is called: there may be no MPI.
    ('Get_version|Get_library_version|T_.*', '', 'none'),
    # A file that is not open has that of MPI_FILE_NULL.
    ('File_(open|delete)|Register_datarep', '', 'no file'),
    ('(Comm|Win)_free|Comm_disconnect|File_close', r'MPI_(Comm|Win|File) \*\w+', ''),
    ('Wait|Test|Start|Cancel|Request_free|I?[mM]recv', r'MPI_(Request|Message) \*\w+', ''),
    ('.*', r'MPI_(Comm|Win|File|Request) \w+', ''),
    ('.*', r'MPI_(Request) array_of_requests\[\]', ''),
    ('.*', '', 'world'),
]
KINDS = {'Comm': 'communicator', 'Win': 'window', 'File': 'file', 'Request': 'request',
         'Message': 'request'}
FATAL = ('Unless the program sets another one, it ends the job and prints the call, its arguments '
         'and the cause.')
RETURNS = 'Unless the program sets another one, it is MPI_ERRORS_RETURN: the code is returned.'
TEXTS = {
    'none': '.',
    'no file': f', after the error handler of MPI_FILE_NULL has been called. {RETURNS}',
    'file': ', after the error handler of the file has been called, or that of MPI_FILE_NULL when '
            f'NAME is no open file. {RETURNS}',
    'communicator': ', after the error handler of the communicator has been called, or that of '
                    f'MPI_COMM_WORLD when NAME is no communicator. {FATAL}',
    'window': ', after the error handler of the window has been called, or that of MPI_COMM_WORLD '
              f'when NAME is no window. {FATAL}',
    'request': ', after the error handler of the communicator, window or file of the operation has '
               'been called, or that of MPI_COMM_WORLD when there is none. Unless the program sets '
               'another one, that of a file is MPI_ERRORS_RETURN, and the others end the job and '
               'print the call, its arguments and the cause.',
    'world': f', after the error handler of MPI_COMM_WORLD has been called. {FATAL}',
}


def handled_by(function, parameters):
    """(kind, parameter) of a function: one of TEXTS, and what names the object, or ''.
    parameters: "type *name[]" each."""
    for functions, parameter, kind in ROWS:
        if not re.fullmatch(functions, function[4:]):
            continue
        if not parameter:
            return kind, ''
        for p in parameters:
            m = re.fullmatch(parameter, p)
            if m:
                return KINDS[m.group(1)], p
    raise AssertionError('the last row fits all')


def handler_text(function, parameters):
    """What a manual page says of the value that a function returns."""
    kind, parameter = handled_by(function, parameters)
    name = re.sub(r'^.* (\*?\w+)(\[\])?$', r'\1', parameter)
    return 'MPI_SUCCESS, or an error code' + TEXTS[kind].replace('NAME', name)
