//! Tests the page under unusual conditions: with a screen reader, zoomed in, in a small window,
//! with untrusted texts, and on the first visit.

mod access;
mod first_steps;
mod hostile;
