//! Shares tables through the Arrow `PyCapsule` interface, so that pandas, polars, pyarrow and
//! `DuckDB` can read them without copying.

use std::io::{Cursor, Read, Seek};
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, RecordBatch, RecordBatchIterator};
use arrow_array::{StringArray, UInt64Array};
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, SchemaRef};
use prophet_text::{Align, plain};
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyFloat, PyList};

use crate::error::ProphetError;
use crate::html;

/// A function that restores a table, and its arguments.
type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>,));

const SHOWN: usize = 20;

/// A table of named columns.
#[pyclass(frozen, module = "performance_prophet")]
#[derive(Debug, Clone)]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

#[derive(Debug)]
pub(crate) enum Column {
    Whole(Vec<Option<i64>>),
    Count(Vec<u64>),
    /// Numbers; NaN in rows without a value.
    Real(Vec<f64>),
    Text(Vec<Option<String>>),
}

impl Column {
    fn array(self) -> ArrayRef {
        match self {
            Self::Whole(values) => Arc::new(Int64Array::from(values)),
            Self::Count(values) => Arc::new(UInt64Array::from(values)),
            Self::Real(values) => {
                let values = values.into_iter().map(|it| it.is_finite().then_some(it));
                Arc::new(values.collect::<Float64Array>())
            }
            Self::Text(values) => Arc::new(StringArray::from(values)),
        }
    }
}

fn failed(error: impl std::fmt::Display) -> PyErr {
    ProphetError::new_err(error.to_string())
}

impl Table {
    /// Creates a table from columns, which must have the same length.
    pub(crate) fn of<N: AsRef<str>>(columns: Vec<(N, Column)>) -> PyResult<Self> {
        let arrays = { columns.into_iter() }.map(|(name, column)| (name, column.array()));
        let batch = RecordBatch::try_from_iter(arrays).map_err(failed)?;
        Ok(Self {
            schema: batch.schema(),
            batches: vec![batch],
        })
    }

    pub(crate) fn read(file: impl Read + Seek) -> PyResult<Self> {
        let reader = FileReader::try_new(file, None).map_err(failed)?;
        let schema = reader.schema();
        let batches: Result<Vec<_>, _> = reader.collect();
        Ok(Self {
            schema,
            batches: batches.map_err(failed)?,
        })
    }

    fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn names(&self) -> Vec<String> {
        let fields = self.schema.fields().iter();
        fields.map(|it| it.name().clone()).collect()
    }

    /// Returns the abbreviated cells of the first rows.
    fn first_rows(&self, py: Python<'_>) -> PyResult<Vec<Vec<String>>> {
        let mut rows = vec![Vec::new(); self.rows().min(SHOWN)];
        for place in 0..self.schema.fields().len() {
            for (row, value) in rows.iter_mut().zip(self.values(py, place, SHOWN)?) {
                row.push(plain::line(&shown(&value)?));
            }
        }
        Ok(rows)
    }

    /// Returns the values of a column in the first `most` rows.
    fn values<'py>(
        &self,
        py: Python<'py>,
        column: usize,
        most: usize,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut values = Vec::with_capacity(self.rows().min(most));
        for batch in &self.batches {
            let rows = batch.num_rows().min(most - values.len());
            for row in 0..rows {
                values.push(value(py, batch.column(column), row)?);
            }
        }
        Ok(values)
    }
}

fn value<'py>(py: Python<'py>, column: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match column.data_type() {
        DataType::Float64 => column
            .as_primitive::<Float64Type>()
            .value(row)
            .into_bound_py_any(py),
        DataType::Int64 => column
            .as_primitive::<Int64Type>()
            .value(row)
            .into_bound_py_any(py),
        DataType::UInt64 => column
            .as_primitive::<UInt64Type>()
            .value(row)
            .into_bound_py_any(py),
        DataType::UInt32 => column
            .as_primitive::<UInt32Type>()
            .value(row)
            .into_bound_py_any(py),
        DataType::Utf8 => column.as_string::<i32>().value(row).into_bound_py_any(py),
        DataType::Dictionary(_, _) => {
            let dictionary = column.as_any_dictionary();
            let key = dictionary.normalized_keys()[row];
            value(py, dictionary.values(), key)
        }
        other => Err(failed(format!("a column has the type {other}"))),
    }
}

fn shown(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if value.is_none() {
        return Ok(String::new());
    }
    match value.cast::<PyFloat>() {
        Ok(real) => Ok(format!("{:.6e}", real.value()).parse::<f64>().map_or_else(
            |_| real.value().to_string(),
            |rounded| format!("{rounded:?}"),
        )),
        Err(_) => Ok(value.str()?.to_string()),
    }
}

#[pymethods]
impl Table {
    /// Restores a table from [`Self::__reduce__`] in another process.
    #[staticmethod]
    #[pyo3(name = "_again")]
    fn again(file: &[u8]) -> PyResult<Self> {
        Self::read(Cursor::new(file))
    }

    /// Pickles the table as an Arrow file.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let mut writer = FileWriter::try_new(Vec::new(), &self.schema).map_err(failed)?;
        for batch in &self.batches {
            writer.write(batch).map_err(failed)?;
        }
        let file = writer.into_inner().map_err(failed)?;
        let again = py.get_type::<Self>().getattr("_again")?;
        Ok((again, (PyBytes::new(py, &file),)))
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.names()
    }

    fn __len__(&self) -> usize {
        self.rows()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let place = { self.schema.index_of(name) }.map_err(|_| {
            let names = self.names().join(", ");
            PyKeyError::new_err(format!("unknown column `{name}`; choose one of {names}"))
        })?;
        PyList::new(py, self.values(py, place, usize::MAX)?)
    }

    /// Returns the columns as a dictionary of lists.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (place, name) in self.names().iter().enumerate() {
            columns.set_item(name, self.values(py, place, usize::MAX)?)?;
        }
        Ok(columns)
    }

    /// Returns the rows as a list of dictionaries.
    fn to_rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = self.names();
        let rows = PyList::empty(py);
        for batch in &self.batches {
            for row in 0..batch.num_rows() {
                let cells = PyDict::new(py);
                for (name, column) in names.iter().zip(batch.columns()) {
                    cells.set_item(name, value(py, column, row)?)?;
                }
                rows.append(cells)?;
            }
        }
        Ok(rows)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref()).map_err(failed)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Exports the table as a stream through Arrow's C interface. The requested schema is ignored,
    /// as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches: Vec<_> = self.batches.iter().cloned().map(Ok).collect();
        let reader = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!(
            "<Table of {} rows: {}>",
            self.rows(),
            self.names().join(", ")
        )
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let is_text = |it: &DataType| matches!(it, DataType::Utf8 | DataType::Dictionary(..));
        let fields = self.schema.fields().iter();
        let heading: Vec<_> = fields
            .map(|it| {
                let is_text = is_text(it.data_type());
                (
                    it.name().as_str(),
                    if is_text { Align::Left } else { Align::Right },
                )
            })
            .collect();
        let rows = self.first_rows(py)?;
        let more = self.rows() - rows.len();
        let text = prophet_text::table(&heading, &rows);
        Ok(match more {
            0 => text.trim_end().to_owned(),
            _ => format!("{text}{more} more rows"),
        })
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let rows = self.first_rows(py)?;
        let more = self.rows() - rows.len();
        Ok(html::table(&self.names(), &rows, more))
    }
}
