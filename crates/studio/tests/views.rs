//! Tests the page under unusual conditions: with a screen reader, enlarged, in a small window, with
//! untrusted texts, and for the first time.

mod access;
mod first_steps;
mod hostile;
