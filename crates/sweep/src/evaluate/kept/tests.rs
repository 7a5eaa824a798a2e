use super::*;

fn found(predicted_time_s: f64) -> PointResults {
    let mut metrics = [f64::NAN; METRICS.len()];
    metrics[0] = predicted_time_s;
    PointResults {
        metrics,
        half_width_s: f64::NAN,
        seeds: 1,
    }
}

fn rows() -> Vec<KeptFinding> {
    let row = |at: u32| match at % 7 {
        0 => Err(format!("a deadlock\nof \"{at}\"")),
        _ => Ok(found(f64::from(at) / 3.0)),
    };
    (0..600).map(row).collect()
}

fn written(rows: &[KeptFinding]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = KeptWriter::begin(&mut file, "it", &(0..1000)).unwrap();
    for row in rows {
        writer.add(row).unwrap();
    }
    writer.flush().unwrap();
    file
}

fn read(file: &[u8]) -> Result<Vec<KeptFinding>, KeptError> {
    KeptReader::open(file, "it")?.collect()
}

/// Formats rows for comparison, because NaN doesn't equal itself.
fn shown(rows: &[KeptFinding]) -> String {
    format!("{rows:?}")
}

#[test]
fn rows_are_read_as_they_were_written() {
    let file = written(&rows());
    assert_eq!(shown(&read(&file).unwrap()), shown(&rows()));
    let reader = KeptReader::open(&file[..], "it").unwrap();
    assert_eq!((reader.range(), reader.given()), (0..1000, 0));
}

#[test]
fn a_file_that_ends_anywhere_goes_on_behind_its_last_whole_line() {
    let file = written(&rows());
    for end in (40..file.len()).step_by(997).chain([file.len() - 1]) {
        let cut = &file[..end];
        let mut reader = KeptReader::open(cut, "it").unwrap();
        let known: Vec<KeptFinding> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(known.len() % LINE_ROWS, 0, "cut at {end}");
        let place = usize::try_from(reader.place()).unwrap();
        let mut resumed = cut[..place].to_vec();
        let mut writer = KeptWriter::resume(&mut resumed);
        for row in &rows()[known.len()..] {
            writer.add(row).unwrap();
        }
        writer.flush().unwrap();
        assert_eq!(resumed, file, "cut at {end}");
    }
}

#[test]
fn what_was_changed_is_refused() {
    let file = written(&rows());
    let told = |file: &[u8]| read(file).unwrap_err().to_string();
    for at in (40..file.len() - 1).step_by(331) {
        let mut changed = file.clone();
        changed[at] ^= 1;
        let told = told(&changed);
        assert!(
            told.starts_with("was changed after it was written, in line "),
            "{at}: {told}"
        );
    }
    let other =
        "contains rows of another sweep, with other points, another model or another version";
    assert_eq!(
        KeptReader::open(&file[..], "other")
            .unwrap_err()
            .to_string(),
        other
    );
    for foreign in ["", "a,b\n1,2\n", "prophet-sweep-2 it 0 5"] {
        assert_eq!(told(foreign.as_bytes()), "does not contain rows of a sweep");
    }
    let range = "was changed after it was written, in line 1";
    assert_eq!(told(b"prophet-sweep-2 it 0 x\n"), range);
    let long = [
        &file[..],
        &file[file.iter().position(|it| *it == b'\n').unwrap() + 1..],
    ]
    .concat();
    assert_eq!(told(&long), "was changed after it was written, in line 6");
}
