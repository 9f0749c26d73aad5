# setuptools.sh — an extension of Python that is built with CC=mpicc, or with the flags that mpicc
# prints, is linked with Starling's library, although setuptools names the directory of another
# libmpi.so.
. "$(dirname "$0")/common.sh"
need_rival
python=/usr/bin/python3
[ -x $python ] || python=$(command -v python3)
$python -c 'import os, setuptools, sysconfig
open(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2>/dev/null ||
    { echo "skipped: $python has no setuptools, or no Python.h"; exit 77; }
cat >ranks.c <<'C'
#include <mpi.h>
#include <Python.h>

/* The sum of all ranks and one each, which takes an MPI that knows of the others. */
static PyObject *sum(PyObject *self, PyObject *none)
{
    int rank, sum;

    (void) self, (void) none;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rank++;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return PyLong_FromLong(sum);
}

static PyMethodDef methods[] = { { "sum", sum, METH_NOARGS, "" }, { NULL } };
static struct PyModuleDef module = { PyModuleDef_HEAD_INIT, .m_name = "ranks", .m_size = -1,
                                     .m_methods = methods };
PyMODINIT_FUNC PyInit_ranks(void) { return PyModule_Create(&module); }
C
cat >setup.py <<'P'
import os
from setuptools import Extension, setup
setup(name='user', ext_modules=[Extension(
    'ranks', ['ranks.c'], libraries=os.environ['NAMES'].split(),
    extra_compile_args=os.environ['CFLAGS_OF_MPI'].split(),
    extra_link_args=os.environ['LDFLAGS_OF_MPI'].split())])
P

# built NAME VARIABLE=VALUE...: the extension in the directory NAME.
built() {
    name=$1
    shift
    quietly env NAMES= CFLAGS_OF_MPI= LDFLAGS_OF_MPI= "$@" "$python" setup.py -q build_ext \
        -b "$name" -t "$name.o" -L"$rival"
    ours "$name"/ranks*.so
    same "sums of $name" "$(PYTHONPATH=$name mpiexec -n 3 "$python" -c 'import ranks
print(ranks.sum())' | xargs)" "6 6 6"
}
built wrapper CC=mpicc
built named CC=mpicc NAMES=mpi
built flags CFLAGS_OF_MPI="$(mpicc --showme:compile)" LDFLAGS_OF_MPI="$(mpicc --showme:link)"
