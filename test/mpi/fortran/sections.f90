! sections.f90 - L07: what Fortran passes for sections, components, pointers, characters, absent and
! unallocated arrays arrives as the same elements, in calls of mpi_f08 with choice buffers.
module sections
  use mpi_f08
  implicit none
  type pair
    integer :: n
    double precision :: x
  end type
  integer :: me, other, failures = 0
contains
  subroutine check(ok, what)
    logical, intent(in) :: ok
    character(*), intent(in) :: what
    if (ok) return
    print *, 'rank', me, ': ', what
    failures = failures + 1
  end subroutine

  ! Assumed shape: a section of a section.
  subroutine inner(a, b)
    integer, asynchronous, intent(inout) :: a(:, :), b(:, :)
    type(MPI_Request) :: r(2)
    integer :: i, j
    call MPI_Irecv(b(::2, size(b, 2):1:-1), size(b(::2, :)), MPI_INTEGER, other, 1, &
                   MPI_COMM_WORLD, r(1))
    call MPI_Isend(a(::2, :), size(a(::2, :)), MPI_INTEGER, other, 1, MPI_COMM_WORLD, r(2))
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
    do j = 1, size(a, 2)
      do i = 1, size(a, 1), 2
        call check(b(i, size(a, 2) + 1 - j) == a(i, j) + 1000 * (other - me), 'assumed shape')
      end do
    end do
    call check(all(b(2::2, :) == -1), 'between the rows')
  end subroutine

  ! Assumed size: its last bound is not known.
  subroutine assumed_size(a, b, n)
    integer, intent(in) :: n
    integer, asynchronous :: a(2, *), b(*)
    call MPI_Sendrecv(a, 2 * n, MPI_INTEGER, other, 2, b, 2 * n, MPI_INTEGER, other, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(b(1:2 * n:2) == a(1, 1:n) + 1000 * (other - me)), 'assumed size')
  end subroutine

  subroutine optional_buffer(a)
    integer, optional, asynchronous :: a(:)
    integer :: ierror
    call MPI_Send(a, 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierror)
    call check(ierror == MPI_SUCCESS, 'an absent array')
  end subroutine

  subroutine characters
    character(3), asynchronous :: out(6), in(6)
    character(8), asynchronous :: word, scalar
    integer :: i
    out = [(repeat(char(ichar('a') + i + 8 * me), 3), i = 1, 6)]
    in = '...'
    call MPI_Sendrecv(out(1:6:2), 9, MPI_CHARACTER, other, 3, in(6:2:-2), 9, MPI_CHARACTER, &
                      other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    do i = 1, 3
      call check(in(8 - 2 * i) == repeat(char(ichar('a') + 2 * i - 1 + 8 * other), 3), 'characters')
    end do
    call check(all(in(1:5:2) == '...'), 'between characters')
    word = '........'
    scalar = 'a scalar'
    if (me == 0) call MPI_Send(scalar, 8, MPI_CHARACTER, other, 4, MPI_COMM_WORLD)
    if (me == 1) call MPI_Recv(word, 8, MPI_CHARACTER, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (me == 1) call check(word == scalar, 'a scalar')
  end subroutine

  ! The descriptor of a component may be one of its own, or of a copy that the compiler makes.
  subroutine components
    type(pair), asynchronous :: p(7), q(7)
    integer, pointer, asynchronous :: ints(:)
    type(pair), target, asynchronous :: t(7)
    integer :: i
    p = [(pair(i + 1000 * me, 0.5d0), i = 1, 7)]
    q = pair(-1, -1d0)
    t = q
    call MPI_Sendrecv(p(2:6:2)%n, 3, MPI_INTEGER, other, 5, q(7:3:-2)%n, 3, MPI_INTEGER, other, 5, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(q%n == [-1, -1, 6 + 1000 * other, -1, 4 + 1000 * other, -1, 2 + 1000 * other]), &
               'components')
    call check(all(abs(q%x + 1) < 1d-9), 'other components')
    ints => t(::3)%n
    call MPI_Sendrecv(p%n, 3, MPI_INTEGER, other, 6, ints, 3, MPI_INTEGER, other, 6, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(t(::3)%n == [1, 2, 3] + 1000 * other), 'a pointer to components')
    call MPI_Sendrecv(p(::2), 4 * storage_size(p) / 8, MPI_BYTE, other, 7, q(4:1:-1), &
                      4 * storage_size(p) / 8, MPI_BYTE, other, 7, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE)
    call check(all(q(4:1:-1)%n == p(::2)%n + 1000 * (other - me)), 'derived types')
  end subroutine

  ! Elements of unlimited polymorphic arrays are longer than their descriptor says.
  subroutine polymorphic(a, b)
    class(*), asynchronous :: a(:), b(:)
    call MPI_Sendrecv(a, 4 * storage_size(a) / 8, MPI_BYTE, other, 8, b, &
                      4 * storage_size(b) / 8, MPI_BYTE, other, 8, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE)
  end subroutine

  subroutine unlimited
    type(pair) :: p(8), q(8)
    integer :: i
    p = [(pair(i + 1000 * me, 0.25d0), i = 1, 8)]
    q = pair(-1, -1d0)
    call polymorphic(p(::2), q(2::2))
    call check(all(q(2::2)%n == p(::2)%n + 1000 * (other - me)), 'polymorphic')
    call check(all(q(1::2)%n == -1), 'between polymorphic ones')
  end subroutine

  ! Bounds of allocatable arrays are as before a call (MPICH #5880).
  subroutine bounds
    integer, allocatable, asynchronous :: a(:), b(:, :), none(:)
    integer :: ierror
    allocate(a(-3:4), b(0:1, 5:8))
    a = me
    b = -1
    call MPI_Sendrecv(a, 8, MPI_INTEGER, other, 9, b, 8, MPI_INTEGER, other, 9, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE)
    call check(all(b == other), 'allocatable')
    call check(all([lbound(a), ubound(a), lbound(b), ubound(b)] == [-3, 4, 0, 5, 1, 8]), 'bounds')
    call MPI_Send(none, 0, MPI_INTEGER, MPI_PROC_NULL, 9, MPI_COMM_WORLD, ierror)
    call check(ierror == MPI_SUCCESS .and. .not. allocated(none), 'an unallocated array')
  end subroutine

  subroutine high_rank
    integer, asynchronous, save :: a(2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)
    integer, asynchronous, save :: b(2**14)
    integer :: i
    a = reshape([(i, i = 1, 2**15)], shape(a)) + 100000 * me
    call MPI_Sendrecv(a(:, :, :, 2:1:-1, :, :, :, 2, :, :, :, :, :, :, :), 2**14, MPI_INTEGER, &
                      other, 10, b, 2**14, MPI_INTEGER, other, 10, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE)
    call check(all(b == pack(a(:, :, :, 2:1:-1, :, :, :, 2, :, :, :, :, :, :, :), .true.) &
                   + 100000 * (other - me)), 'rank 15')
  end subroutine

  subroutine reductions
    double precision, asynchronous :: a(9), s(9)
    type(MPI_Request) :: r
    integer :: i
    a = [(i, i = 1, 9)]
    s = -1
    call MPI_Iallreduce(a(1:9:3), s(9:1:-4), 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, r)
    call MPI_Wait(r, MPI_STATUS_IGNORE)
    call check(all(abs(s - [14, -1, -1, -1, 8, -1, -1, -1, 2]) < 1d-9), 'a reduction')
    call MPI_Allreduce(MPI_IN_PLACE, a(1:9:3), 3, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    call check(all(abs(a - [(i, i = 1, 9)]) < 1d-9), 'in place')
  end subroutine
end module

program main
  use sections
  implicit none
  integer :: a(7, 5), b(7, 5), c(14), i
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  other = 1 - me
  a = reshape([(i, i = 1, 35)], shape(a)) + 1000 * me
  b = -1
  call inner(a, b)
  b = -1
  call inner(a(7:1:-1, :), b(:, 5:1:-1))
  call assumed_size(a, c, 7)
  call optional_buffer(a(:, 1))
  call characters
  call components
  ! Fortran does not allow the first. For the second gfortran 12 makes wrong descriptors of C, which
  ! the wrappers use.
  if (command_argument_count() == 0) then
    call optional_buffer()
    call unlimited
  end if
  call bounds
  call high_rank
  call reductions
  call MPI_Finalize()
  if (failures > 0) stop 1
end program
