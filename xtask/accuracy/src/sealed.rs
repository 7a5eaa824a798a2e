//! Keeps what was measured out of predictions: a measured column is read only after the predictions
//! of its rows are in a file.

use std::fmt::Write as _;

use crate::Places;

/// The folder of the predictions.
const FOLDER: &str = "target/accuracy";

/// The measured column of a set, which nothing has read yet.
pub(crate) struct Sealed<'t> {
    set: &'t str,
    rows: usize,
    read: Box<dyn Fn(usize) -> Option<f64> + 't>,
}

impl<'t> Sealed<'t> {
    /// Seals the measured column of a set; `read` parses a row's cell.
    pub(crate) fn new(set: &'t str, rows: usize, read: impl Fn(usize) -> Option<f64> + 't) -> Self {
        let read = Box::new(read);
        Self { set, rows, read }
    }

    /// Reads the rows that something is fitted to.
    pub(crate) fn learn(&self, rows: impl IntoIterator<Item = usize>) -> Result<Vec<f64>, String> {
        let value = |row| {
            let value = (self.read)(row);
            value.ok_or_else(|| format!("{}: row {} has no measured value", self.set, row + 1))
        };
        rows.into_iter().map(value).collect()
    }

    /// Writes the predictions of all rows to a file, in a column for each way to predict, and then
    /// reads the measured column.
    pub(crate) fn open<const N: usize>(
        self,
        places: &Places,
        names: [&str; N],
        predicted: [&[f64]; N],
    ) -> Result<Vec<f64>, String> {
        let mut table = format!("row\t{}\n", names.join("\t"));
        for row in 0..self.rows {
            let _ = write!(table, "{}", row + 1);
            for column in predicted {
                let value = column.get(row);
                let value = value.ok_or_else(|| format!("{}: a row is not predicted", self.set))?;
                let _ = write!(table, "\t{value}");
            }
            table.push('\n');
        }
        let folder = places.root.join(FOLDER);
        let name = |c: char| if c.is_alphanumeric() { c } else { '-' };
        let name: String = self.set.to_lowercase().chars().map(name).collect();
        let file = folder.join(name + ".tsv");
        std::fs::create_dir_all(&folder)
            .and_then(|()| prophet_files::write(&file, &table))
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        self.learn(0..self.rows)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::fs;

    use super::*;

    #[test]
    fn predictions_are_written_before_the_measured_column_is_read() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let places = Places {
            root: folder.path().to_owned(),
        };
        let file = folder.path().join("target/accuracy/a-set.tsv");
        let (seen, before) = (Cell::new(0), Cell::new(false));
        let sealed = Sealed::new("A set", 2, |row| {
            before.set(file.exists());
            seen.set(seen.get() + 1);
            [Some(1.5), Some(2.5)][row]
        });
        assert_eq!(sealed.learn([0]), Ok(vec![1.5]));
        assert_eq!((seen.get(), before.get()), (1, false));
        let measured = sealed.open(&places, ["ours", "naive"], [&[1.0, 2.0], &[3.0, 4.0]]);
        assert_eq!(measured, Ok(vec![1.5, 2.5]));
        assert_eq!((seen.get(), before.get()), (3, true));
        let table = fs::read_to_string(&file).expect("there is a file");
        assert_eq!(table, "row\tours\tnaive\n1\t1\t3\n2\t2\t4\n");
        let short = Sealed::new("A set", 2, |_| None).open(&places, ["ours"], [&[1.0]]);
        assert_eq!(short, Err("A set: a row is not predicted".to_owned()));
        let empty = Sealed::new("A set", 1, |_| None).open(&places, ["ours"], [&[1.0]]);
        assert_eq!(empty, Err("A set: row 1 has no measured value".to_owned()));
    }
}
