! ring.f90 — a token passes all processes, each of which adds its rank.
program ring
    use mpi_f08
    implicit none
    integer :: rank, size, next, previous, token

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    next = modulo(rank + 1, size)
    previous = modulo(rank - 1, size)
    token = 0
    if (rank > 0) call MPI_Recv(token, 1, MPI_INTEGER, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    token = token + rank
    if (size > 1) call MPI_Send(token, 1, MPI_INTEGER, next, 0, MPI_COMM_WORLD)
    if (rank == 0) then
        if (size > 1) call MPI_Recv(token, 1, MPI_INTEGER, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
        print '("the token came back with ", i0)', token
    end if
    call MPI_Finalize()
end program ring
