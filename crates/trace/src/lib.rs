//! Traces: the activities of each unit of a run, their times, and the causes of waits.
//!
//! A trace is one table in one file, in the file format of Apache Arrow, that `pyarrow`, pandas,
//! Polars and others open: `docs/traces.md` lists its columns. A [`TraceWriter`] takes [`Record`]s
//! and never holds more than a batch of them; a [`TraceReader`] gives them back batch by batch,
//! whatever size the file has, and trusts nothing in it. The traffic on shared links of a network
//! is [`Traffic`]: separate tables.
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
//! The format is written and read here, not by the crate `arrow`: that crate takes longer to
//! compile than everything else that a prediction needs, and a trace uses little of it.
//!
//! Modules form layers: each imports only from its own layer and from layers above it in this
//! table.
//!
//! | module | is |
//! |---|---|
//! | `flat` | `FlatBuffers`, as far as Arrow's metadata need them |
//! | `lz4` | LZ4 frames of buffers whose values repeat the one before |
//! | `columns` | columns of the table, in their order |
//! | `record` | one row of a trace |
//! | `metadata` | Arrow's metadata: the messages and the footer around the columns |
//! | `stream` | messages of Arrow's format, one after another |
//! | `batch` | columns of the rows of one batch, as they grow |
//! | `aside` | files without a name, for what waits to be written |
//! | `raw` | bytes of a file that may be damaged, and refusals of it |
//! | `traffic` | traffic on links that messages share, and operations of accelerators |
//! | `header` | description of the run of a trace, as JSON in the metadata of the table |
//! | `order` | order of the records that can be written |
//! | `reader` | reading of records from a file, batch by batch |
//! | `writer` | writing of records to a file, batch by batch |
//! | `sorter` | sorting of records that do not come in the order of files |

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
