! hello.f90 — each process says which one it is, and where.
program hello
    use mpi_f08
    implicit none
    character(len=MPI_MAX_PROCESSOR_NAME) :: name
    integer :: rank, size, length

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    call MPI_Get_processor_name(name, length)
    print '("hello from rank ", i0, " of ", i0, " on ", a)', rank, size, name(1:length)
    call MPI_Finalize()
end program
