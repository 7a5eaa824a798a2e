//! Reads and writes traces, which record what each unit of a run does, when, and what it waits for.
//!
//! A trace is a single table in an Apache Arrow file, which `pyarrow`, pandas, Polars and other
//! tools can open; `docs/traces.md` lists its columns. A [`TraceWriter`] takes [`Record`]s, and
//! never holds more than one batch of them in memory. A [`TraceReader`] returns the records batch
//! by batch, however large the file is, and checks the file's content. [`Traffic`] on shared
//! network links is stored in separate tables.
//!
//! ```
//! use prophet_trace::{Header, Record, Results, TraceReader, TraceWriter, UnitState};
//!
//! let mut file = Vec::new();
//! let header = Header { model: "Pi".into(), ..Header::default() };
//! let mut writer = TraceWriter::new(&mut file, header)?;
//! writer.write(&[Record::new(0, 0, UnitState::Compute, 0.0, 1.5).element(0).began(0.0)])?;
//! writer.finish(Results { predicted_time_s: 1.5, ..Results::default() })?;
//!
//! let mut reader = TraceReader::new(std::io::Cursor::new(file))?;
//! assert_eq!(reader.header().model, "Pi");
//! let mut records = Vec::new();
//! while reader.next_batch(&mut records)? {
//!     assert_eq!(records[0].end_s, 1.5);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The format is implemented here because the crate `arrow` takes longer to compile than everything
//! else that a prediction needs, and a trace uses only a small part of it.
//!
//! Modules form layers: each imports only from its own layer and from layers above it in this
//! table.
//!
//! | module | purpose |
//! |---|---|
//! | `flat` | `FlatBuffers`, limited to what Arrow's metadata needs |
//! | `lz4` | LZ4 frames for buffers with repeated values |
//! | `columns` | columns of the trace's table, in order |
//! | `record` | one row of a trace |
//! | `metadata` | Arrow's metadata: the messages and the footer around the columns |
//! | `stream` | a sequence of messages in Arrow's format |
//! | `batch` | columns of a batch of rows |
//! | `aside` | unnamed files for data that can't be written to the trace yet |
//! | `raw` | bytes of a file that may be damaged |
//! | `traffic` | traffic on shared links, and operations of accelerators |
//! | `header` | description of a run, as JSON in the table's metadata |
//! | `order` | sort order of records that can be written |
//! | `reader` | reading records from a file, batch by batch |
//! | `writer` | writing records to a file, batch by batch |
//! | `sorter` | sorting records that arrive out of order |

mod aside;
mod batch;
mod columns;
mod flat;
mod header;
mod lz4;
mod metadata;
mod order;
mod raw;
mod reader;
mod record;
mod sorter;
mod stream;
mod traffic;
mod writer;

pub use columns::{BATCH_ROWS, FORMAT};
pub use header::{ElementTotals, Header, Interfaces, Links, Results, UsedOperations};
pub use prophet_result::ProcessOutcome;
pub use raw::ReadError;
pub use reader::TraceReader;
pub use record::{Record, Role, UnitId, UnitState};
pub use sorter::Sorter;
pub use traffic::rows::TrafficRows;
pub use traffic::{
    Flow, FlowMetric, Hop, Lane, LinkLoad, NetworkLink, Operation, TracedNetwork, Traffic,
};
pub use writer::TraceWriter;
