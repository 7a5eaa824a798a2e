//! Process-oriented simulation: the engine, the MPI elements, the machine.
