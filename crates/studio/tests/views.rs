//! The page as anybody may meet it: by a screen reader, enlarged, on a small window, with the
//! texts of a stranger, and for the first time.

mod access;
mod first_steps;
mod hostile;
