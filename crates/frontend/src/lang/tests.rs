//! Tests the cost language as a whole.

mod behavior;
mod compiled;
mod expressions;
mod limits;
mod messages;
mod plain;
mod random;
mod reading;

use reading::{As, bind, code, read, scope, value};
