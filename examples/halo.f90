! halo.f90 — exchanges the edges of a distributed 2-D array, each step, by sections of the array.
!
! Solves Laplace's equation on a square of N x N points, with x * y at the edges, which is the solution
! everywhere. Each process has a block with one more row or column of its neighbors on each side.
program halo
    use mpi_f08
    implicit none
    integer, parameter :: N = 20, STEPS = 2000
    integer :: dims(2), coords(2), first(2), last(2), rank, size, up, down, left, right, i, j, step
    logical :: periods(2)
    double precision, allocatable :: u(:, :), next(:, :)
    double precision :: error
    type(MPI_Comm) :: grid

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    dims = 0
    periods = .false.
    call MPI_Dims_create(size, 2, dims)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., grid)
    call MPI_Comm_rank(grid, rank)
    call MPI_Cart_coords(grid, rank, 2, coords)
    ! At the edges of the square the neighbor is MPI_PROC_NULL: nothing is sent or received there.
    call MPI_Cart_shift(grid, 0, 1, up, down)
    call MPI_Cart_shift(grid, 1, 1, left, right)

    first = coords * N / dims + 1
    last = (coords + 1) * N / dims
    allocate (u(first(1) - 1:last(1) + 1, first(2) - 1:last(2) + 1))
    u = 0
    do j = first(2) - 1, last(2) + 1
        do i = first(1) - 1, last(1) + 1
            if (any([i, j] == 0) .or. any([i, j] == N + 1)) u(i, j) = exact(i, j)
        end do
    end do
    allocate (next, source=u)

    do step = 1, STEPS
        call exchange(u)
        do j = first(2), last(2)
            do i = first(1), last(1)
                next(i, j) = (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1)) / 4
            end do
        end do
        u = next
    end do

    error = 0
    do j = first(2), last(2)
        do i = first(1), last(1)
            error = max(error, abs(u(i, j) - exact(i, j)))
        end do
    end do
    call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, grid)
    if (rank == 0) print '("halo: error ", es8.1, " after ", i0, " steps")', error, STEPS
    deallocate (u, next)
    call MPI_Comm_free(grid)
    call MPI_Finalize()

contains

    double precision function exact(i, j)
        integer, intent(in) :: i, j
        exact = dble(i) / (N + 1) * dble(j) / (N + 1)
    end function exact

    ! Rows are sections with gaps. mpi_f08 takes them in nonblocking calls, too: no copies are needed, and
    ! a is ASYNCHRONOUS, so that the compiler does not move accesses to it across MPI_Waitall.
    subroutine exchange(a)
        double precision, asynchronous :: a(first(1) - 1:, first(2) - 1:)
        type(MPI_Request) :: requests(8)
        integer :: rows, columns

        rows = last(1) - first(1) + 1
        columns = last(2) - first(2) + 1
        associate (f => first, l => last, DP => MPI_DOUBLE_PRECISION)
            call MPI_Irecv(a(f(1) - 1, f(2):l(2)), columns, DP, up, 0, grid, requests(1))
            call MPI_Irecv(a(l(1) + 1, f(2):l(2)), columns, DP, down, 0, grid, requests(2))
            call MPI_Irecv(a(f(1):l(1), f(2) - 1), rows, DP, left, 0, grid, requests(3))
            call MPI_Irecv(a(f(1):l(1), l(2) + 1), rows, DP, right, 0, grid, requests(4))
            call MPI_Isend(a(f(1), f(2):l(2)), columns, DP, up, 0, grid, requests(5))
            call MPI_Isend(a(l(1), f(2):l(2)), columns, DP, down, 0, grid, requests(6))
            call MPI_Isend(a(f(1):l(1), f(2)), rows, DP, left, 0, grid, requests(7))
            call MPI_Isend(a(f(1):l(1), l(2)), rows, DP, right, 0, grid, requests(8))
        end associate
        call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE)
    end subroutine exchange
end program halo
