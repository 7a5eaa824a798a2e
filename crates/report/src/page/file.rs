//! Writes the page to a file.

use std::path::Path;

use prophet_text::{Context as _, Problem};

use super::{Data, render};

/// Writes the page to a file, either completely or not at all.
///
/// # Errors
///
/// Returns an error with the file's name if writing fails. In that case, the file keeps its old
/// content.
pub fn write_page(path: &Path, data: &Data) -> Result<(), Problem> {
    let shown = path.display();
    prophet_files::write(path, render(data))
        .context(format_args!("cannot write the report `{shown}`"))
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_says;
    use std::fs;

    use super::*;

    #[test]
    fn a_page_is_written_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.html");
        write_page(&path, &Data::default()).unwrap();
        assert!(
            fs::read_to_string(&path)
                .unwrap()
                .starts_with("<!DOCTYPE html>")
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let path = folder.path().join("no/such/out.html");
        let message = write_page(&path, &Data::default()).unwrap_err();
        assert_says(&message, &["out.html`: "]);
    }

    #[test]
    fn a_page_that_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        // A folder has the name of the file.
        let path = folder.path().join("out.html");
        fs::create_dir(&path).unwrap();
        write_page(&path, &Data::default()).unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
