! sections.f90 - time of a message from a section of an array to a section, in mpi_f08, against the
! program's own copies to and from a contiguous array.
!
! Usage: sections [seconds]; two processes. Each line: bytes, then for columns of 8 bytes with gaps
! of 8 and for blocks of 256 bytes with gaps of 256: microseconds of Isend and Recv of the section,
! of copy, Isend, Recv and copy, and their ratio. Prints the best of several rounds.
program sections_perf
  use mpi_f08
  implicit none
  integer, parameter :: most = 2**19, rounds = 9
  double precision, allocatable, asynchronous :: out(:, :), in(:, :), copy(:)
  double precision :: seconds, best(2, 2)
  character(20) :: text
  integer :: rank, n, shape, how, i

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  seconds = 2
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) seconds
  end if
  allocate(copy(most))
  if (rank == 0) print '(a)', '#   bytes  columns   copied  ratio   blocks   copied  ratio'
  n = 128
  do while (n <= most)
    do shape = 1, 2
      if (shape == 1) allocate(out(2, n), in(2, n))
      if (shape == 2) allocate(out(64, n / 32), in(64, n / 32))
      out = 1
      in = 2
      best(:, shape) = huge(1d0)
      do i = 1, rounds
        do how = 1, 2
          best(how, shape) = min(best(how, shape), round_trip(shape, how, n))
        end do
      end do
      deallocate(out, in)
    end do
    if (rank == 0) print '(i9, 2(2f9.2, f7.2))', 8 * n, &
      (best(:, shape) * 1d6, best(1, shape) / best(2, shape), shape = 1, 2)
    n = 4 * n
  end do
  deallocate(copy)
  call MPI_Finalize()
contains
  ! Seconds of one message.
  double precision function round_trip(shape, how, n)
    integer, intent(in) :: shape, how, n
    double precision :: start
    integer :: k, times
    times = max(1, int(seconds * 2d7 / rounds / (20000 + 8 * n)))
    call MPI_Barrier(MPI_COMM_WORLD)
    start = MPI_Wtime()
    do k = 1, times
      if (rank == 0) call send(shape, how, n)
      call receive(shape, how, n)
      if (rank == 1) call send(shape, how, n)
    end do
    round_trip = (MPI_Wtime() - start) / (2 * times)
  end function

  subroutine send(shape, how, n)
    integer, intent(in) :: shape, how, n
    type(MPI_Request) :: r
    if (how == 2) then
      if (shape == 1) copy(1:n) = out(1, :)
      if (shape == 2) copy(1:n) = reshape(out(1:32, :), [n])
      call MPI_Isend(copy, n, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, r)
    else if (shape == 1) then
      call MPI_Isend(out(1, :), n, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, r)
    else
      call MPI_Isend(out(1:32, :), n, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, r)
    end if
    call MPI_Wait(r, MPI_STATUS_IGNORE)
  end subroutine

  subroutine receive(shape, how, n)
    integer, intent(in) :: shape, how, n
    if (how == 2) then
      call MPI_Recv(copy, n, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      if (shape == 1) in(1, :) = copy(1:n)
      if (shape == 2) in(1:32, :) = reshape(copy(1:n), [32, n / 32])
      return
    end if
    if (shape == 1) call MPI_Recv(in(1, :), n, MPI_DOUBLE_PRECISION, 1 - rank, 0, &
                                  MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (shape == 2) call MPI_Recv(in(1:32, :), n, MPI_DOUBLE_PRECISION, 1 - rank, 0, &
                                  MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine
end program
