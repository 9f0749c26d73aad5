// wrapper.cpp — MPI from C++11: templates over datatypes, owners of handles, exceptions, callbacks
// with C linkage, conversions for Fortran libraries.
#include <complex>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
#include <mpi.h>

namespace mpi
{

template <class T> struct type;
template <> struct type<int> {
    static MPI_Datatype get() { return MPI_INT; }
};
template <> struct type<double> {
    static MPI_Datatype get() { return MPI_DOUBLE; }
};
template <> struct type<std::complex<double>> {
    static MPI_Datatype get() { return MPI_CXX_DOUBLE_COMPLEX; }
};

inline void check(int code)
{
    if (code == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING];
    int len = 0;
    MPI_Error_string(code, text, &len);
    throw std::runtime_error(std::string(text, static_cast<std::size_t>(len)));
}

class comm
{
  public:
    explicit comm(MPI_Comm other) { check(MPI_Comm_dup(other, &handle)); }
    comm(const comm &) = delete;
    comm &operator=(const comm &) = delete;
    ~comm() { MPI_Comm_free(&handle); }

    int rank() const
    {
        int r;
        check(MPI_Comm_rank(handle, &r));
        return r;
    }

    template <class T> std::vector<T> gather(const T &x) const
    {
        int n;
        check(MPI_Comm_size(handle, &n));
        std::vector<T> all(static_cast<std::size_t>(n));
        check(MPI_Allgather(&x, 1, type<T>::get(), all.data(), 1, type<T>::get(), handle));
        return all;
    }

    MPI_Fint fortran() const { return MPI_Comm_c2f(handle); }

    MPI_Comm handle;
};

} // namespace mpi

extern "C" {
static void add(void *in, void *inout, int *len, MPI_Datatype *)
{
    for (int i = 0; i < *len; i++)
        static_cast<double *>(inout)[i] += static_cast<double *>(in)[i];
}

static int forget(MPI_Datatype, int, void *value, void *)
{
    delete static_cast<std::string *>(value);
    return MPI_SUCCESS;
}
}

static void named_type()
{
    int keyval;
    MPI_Datatype t;

    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget, &keyval, nullptr);
    MPI_Type_dup(MPI_DOUBLE, &t);
    MPI_Type_set_attr(t, keyval, new std::string("meters"));
    MPI_Type_free(&t);
    MPI_Type_free_keyval(&keyval);
}

static void conversions(const mpi::comm &c)
{
    MPI_Status status = MPI_Status();
    MPI_Fint f[sizeof(MPI_Status) / sizeof(MPI_Fint)];

    MPI_Status_c2f(&status, f);
    MPI_Status_f2c(f, &status);
    if (MPI_Comm_f2c(c.fortran()) != c.handle || MPI_File_c2f(MPI_FILE_NULL) != 0)
        std::puts("handles do not survive Fortran");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    try {
        mpi::comm c(MPI_COMM_WORLD);
        mpi::check(MPI_Comm_set_errhandler(c.handle, MPI_ERRORS_RETURN));
        std::vector<int> ranks = c.gather(c.rank());
        c.gather(std::complex<double>(c.rank(), 1));
        double sum = 1;
        MPI_Op op;
        MPI_Op_create(add, 1, &op);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, mpi::type<double>::get(), op, c.handle);
        MPI_Op_free(&op);
        const std::map<MPI_Op, const char *> names = { { MPI_SUM, "sum" }, { MPI_MAX, "max" } };
        if (sum != double(ranks.size()) || names.size() != 2)
            std::puts("wrong sum");
        named_type();
        conversions(c);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
