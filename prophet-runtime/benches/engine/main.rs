//! Measures the speed of the engines. `cargo xtask bench engine` writes the rows into
//! `prophet-runtime/benches/figures.md`.
//!
//! Rows are measured one at a time on one thread, and rows about jobs on two threads as well. Words
//! on the command line select the rows that contain one of them.
#![expect(clippy::print_stdout, reason = "the table is the output")]

mod event;
mod folded;
mod jobs;
mod local;
mod measure;
mod packets;
mod reference;
mod threads;

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    println!("| work | target | seen | met |");
    println!("|---|---|---|---|");
    let rows = event::rows().into_iter();
    let rows = rows.chain(local::rows()).chain(jobs::rows());
    let rows = rows.chain(folded::rows()).chain(threads::rows());
    for row in rows.chain(packets::rows()) {
        if words.is_empty() || words.iter().any(|word| row.work.contains(word.as_str())) {
            println!("{}", row.measure());
        }
    }
}
