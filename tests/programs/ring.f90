! Messages around a ring, sums, and a broadcast, in Fortran.
program ring
  use mpi
  implicit none
  integer :: error, rank, ranks, next, before, step, requests(2)
  double precision :: own(100), other(100), total

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  next = mod(rank + 1, ranks)
  before = mod(rank + ranks - 1, ranks)
  own = rank
  do step = 1, 10
    call MPI_Irecv(other, 100, MPI_DOUBLE_PRECISION, before, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(own, 100, MPI_DOUBLE_PRECISION, next, 1, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    own = other
    total = sum(own)
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  end do
  call MPI_Bcast(own, 7, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end program ring
