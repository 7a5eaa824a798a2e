//! Tests that written files can be read, and that all other files are rejected.

use std::io::{self, Cursor, Write};

use prophet_trace::{
    BATCH_ROWS, ElementTotals, Header, ProcessOutcome, ReadError, Record, Results, Role,
    TraceReader, TraceWriter, UnitId, UnitState,
};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.0 >> 33
    }

    fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.next() % u64::from(end)).unwrap()
    }
}

fn records(count: usize) -> Vec<Record> {
    let mut random = Random(7);
    let mut record = || {
        let state = UnitState::ALL[random.below(8) as usize];
        let start_s = f64::from(random.below(1 << 30)) / 3.0;
        let end_s = start_s + f64::from(random.below(1 << 20)) / 7.0;
        let mut record = Record::new(random.below(9), random.below(4), state, start_s, end_s);
        if random.below(9) > 0 {
            record = record.element(random.below(100));
        }
        if random.below(2) > 0 {
            record = record.began(start_s / 2.0);
        }
        match random.below(3) {
            0 => {
                let role = Role::ALL[random.below(2) as usize];
                let bytes = u64::from(random.below(u32::MAX)) << 20;
                record = record.message(role, random.below(u32::MAX), random.below(9), bytes);
            }
            1 => record = record.partner(random.below(9)).bytes(0),
            _ => {}
        }
        if random.below(3) == 0 {
            let (pid, tid) = (random.below(9), random.below(4));
            let number = i64::from(random.below(7)) - 3;
            record = match (state, record.role()) {
                (UnitState::Wait | UnitState::Synchronize, _) => record.cause(UnitId { pid, tid }),
                (_, Some(_)) => record.tag(number),
                (_, None) => record.comm(pid),
            };
        }
        record
    };
    (0..count).map(|_| record()).collect()
}

fn header() -> Header {
    let mut header = Header {
        model: "Ünïcode \"model\"".to_owned(),
        machine: "default".to_owned(),
        seed: u64::MAX,
        filter: Some("pid=0..3".to_owned()),
        ..Header::default()
    };
    header.system = serde_json::json!({"nodes": 2, "processes": 9});
    header.parameters.insert("NAT".to_owned(), 32.into());
    header
}

fn results() -> Results {
    let element = |index: u32, name: &str| ElementTotals {
        index,
        name: name.to_owned(),
        id: -i64::from(index),
        kind: "action+".to_owned(),
        count: u64::MAX,
        total_s: 1.0 / 3.0,
        mean_s: 5e-324,
        max_s: 0.1 + 0.2,
        share: 0.7 - 0.1,
    };
    Results {
        predicted_time_s: 194.184_431_847_133_74,
        complete: true,
        elements: vec![
            element(0, "A"),
            element(3, "A"),
            element(4_000_000_000, "far"),
        ],
        processes: vec![ProcessOutcome {
            pid: 0,
            nid: 1,
            end_s: 0.1,
            compute_s: 1e-300,
            communication_s: 0.0,
            wait_s: 1e300,
            hold_s: 0.1 + 0.7,
        }],
        network: None,
        operations: Vec::new(),
    }
}

fn file(records: &[Record]) -> Vec<u8> {
    let mut writer = TraceWriter::new(Vec::new(), header()).unwrap();
    for part in records.chunks(12_345) {
        writer.write(part).unwrap();
    }
    writer.finish(results()).unwrap()
}

fn read(bytes: &[u8]) -> Result<Vec<Record>, ReadError> {
    let mut reader = TraceReader::new(Cursor::new(bytes.to_vec()))?;
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    while reader.next_batch(&mut batch)? {
        all.append(&mut batch);
    }
    Ok(all)
}

#[test]
fn what_is_written_is_read_to_the_last_bit() {
    for count in [0, 1, 7, BATCH_ROWS, 2 * BATCH_ROWS + 100] {
        let records = records(count);
        let bytes = file(&records);
        assert_eq!(bytes, file(&records), "the same records, the same bytes");
        let mut reader = TraceReader::new(Cursor::new(bytes.clone())).unwrap();
        assert_eq!(reader.header(), &header());
        assert_eq!(reader.results(), &results());
        assert_eq!(reader.batches(), count.div_ceil(BATCH_ROWS));
        assert!(read(&bytes).unwrap() == records, "{count} records");
        // All elements except the first one are missing from the dictionary.
        let mut batch = Vec::new();
        if count > 0 {
            assert!(reader.next_batch(&mut batch).unwrap());
            reader.go_to(0);
            assert!(reader.next_batch(&mut batch).unwrap());
            assert!(batch[..] == records[..batch.len()]);
        }
    }
}

#[test]
fn times_of_zero_length_and_extremes_are_kept() {
    let record = |start_s, end_s| Record::new(u32::MAX - 1, 0, UnitState::Wait, start_s, end_s);
    let records = [
        record(0.0, 0.0),
        record(5e-324, 5e-324),
        record(0.0, f64::MAX).began(0.0),
        record(1.0, 1.0).element(1 << 20),
    ];
    let read = read(&file(&records)).unwrap();
    assert!(read[..3] == records[..3]);
    assert_eq!(read[3].element_index(), None, "no place in the dictionary");
}

/// Tests files from Performance Prophet 0.1.0, in which records have no tags and communicators.
#[test]
fn files_of_version_2_are_read() {
    let bytes = include_bytes!("version2.arrow");
    let mut reader = TraceReader::new(Cursor::new(bytes)).unwrap();
    assert_eq!((reader.header().format, reader.rows()), (2, 3));
    let mut batch = Vec::new();
    assert!(reader.next_batch(&mut batch).unwrap());
    let [sent, wait, collective] = batch[..] else {
        panic!("{batch:?}")
    };
    assert_eq!((sent.partner_pid(), sent.message_tag()), (Some(1), None));
    assert_eq!(wait.cause_unit(), Some(UnitId { pid: 0, tid: 3 }));
    assert_eq!(
        (collective.size_bytes(), collective.comm_pid()),
        (Some(64), None)
    );
}

#[test]
fn a_file_that_is_cut_off_is_refused() {
    let bytes = file(&records(1000));
    for length in (0..bytes.len())
        .step_by(97)
        .chain(bytes.len() - 20..bytes.len())
    {
        let error = read(&bytes[..length]).unwrap_err().to_string();
        let said = match length {
            0 => "this is not a trace of Performance Prophet: it is empty",
            1..6 => "this is not a trace of Performance Prophet: it is not an Arrow file",
            _ => {
                "the trace is cut off: its end is missing, perhaps because the run that wrote it \
                 was killed or the disk was full"
            }
        };
        assert_eq!(error, said, "{length} bytes");
    }
}

#[test]
fn other_files_are_refused() {
    let refused = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    let start = "this is not a trace of Performance Prophet: it is not an Arrow file";
    assert_eq!(refused(b"PAR1 and so on, for many bytes"), start);
    assert_eq!(refused(&[0; 1000]), start);

    // These files are complete, but have a different column, version or metadata.
    let bytes = file(&[]);
    let replaced = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let mut bytes = bytes.clone();
        let places = 0..=bytes.len() - from.len();
        let places: Vec<usize> = { places }
            .filter(|place| bytes[*place..].starts_with(from.as_bytes()))
            .collect();
        assert!(!places.is_empty());
        for place in places {
            bytes[place..place + to.len()].copy_from_slice(to.as_bytes());
        }
        refused(&bytes)
    };
    let table = "this is not a trace of Performance Prophet: it has a different table";
    assert_eq!(replaced("cause_tid", "cause_xyz"), table);
    let key = "prophet";
    assert_eq!(replaced(key, "pandas!"), table);
    let metadata = "this is not a trace of Performance Prophet: its metadata is different";
    assert_eq!(replaced("\"format\":3", "\"former\":1"), metadata);
    let version = "the trace has format version 9, but this program reads versions 2 to 3";
    assert_eq!(replaced("\"format\":3", "\"format\":9"), version);
    // Version 2 has fewer columns.
    assert_eq!(replaced("\"format\":3", "\"format\":2"), table);
    let damaged = replaced("predicted_time_s", "predicted_time_x");
    assert!(damaged.starts_with("the trace is damaged: its description of the run: missing field"));
}

fn footer(bytes: &[u8]) -> usize {
    let length = bytes[bytes.len() - 10..bytes.len() - 6].try_into();
    bytes.len() - 10 - usize::try_from(i32::from_le_bytes(length.unwrap())).unwrap()
}

/// Replaces an eight-byte number that occurs once in the file's footer.
fn with_number(bytes: &[u8], from: u64, to: u64) -> Vec<u8> {
    let footer = footer(bytes);
    let from = from.to_le_bytes();
    let place = bytes[footer..].windows(8).position(|window| window == from);
    let place = footer + place.expect("it is there");
    let mut bytes = bytes.to_vec();
    bytes[place..place + 8].copy_from_slice(&to.to_le_bytes());
    bytes
}

/// Returns where the file's batches start: the footer lists these positions, and a message starts
/// at each.
fn batches(bytes: &[u8]) -> Vec<u64> {
    let footer = footer(bytes);
    let begins = |place: &u64| {
        let start = place.to_le_bytes();
        let listed = bytes[footer..].windows(8).any(|window| window == start);
        let place = usize::try_from(*place).unwrap();
        listed && bytes[place..].starts_with(&[0xff; 4])
    };
    (64..footer as u64).step_by(64).filter(begins).collect()
}

#[test]
fn batches_that_overlap_or_lie_outside_are_refused() {
    let bytes = file(&records(2 * BATCH_ROWS));
    let places = batches(&bytes);
    // The list includes dictionaries. The last of them comes after the batches.
    let [.., first, second, _] = places[..] else {
        panic!("{places:?}")
    };
    let refused = |to| {
        read(&with_number(&bytes, second, to))
            .unwrap_err()
            .to_string()
    };
    let overlaps = "the trace is damaged: batch 2: it overlaps batch 1";
    assert_eq!(refused(first), overlaps, "the same twice");
    assert_eq!(refused(second - 64), overlaps);
    for outside in [footer(&bytes) as u64 - 64, u64::MAX, i64::MAX as u64] {
        let expected = "the trace is damaged: batch 2: it extends past the end of the file";
        assert_eq!(refused(outside), expected);
    }
}

#[test]
fn a_file_has_the_bytes_for_the_rows_that_it_claims() {
    let bytes = file(&records(7));
    let [.., batch, _] = batches(&bytes)[..] else {
        panic!()
    };
    let batch = usize::try_from(batch).unwrap();
    let claims = |rows: u64| {
        let mut bytes = bytes.clone();
        let place = bytes[batch..]
            .windows(8)
            .position(|window| window == 7_u64.to_le_bytes());
        let place = batch + place.unwrap();
        bytes[place..place + 8].copy_from_slice(&rows.to_le_bytes());
        TraceReader::new(Cursor::new(bytes)).map(|reader| reader.rows())
    };
    assert_eq!(claims(7).unwrap(), 7);
    let message = claims(65_536).unwrap_err().to_string();
    assert_eq!(
        message,
        "the trace is damaged: batch 1: it is too short for 65536 rows"
    );
    let message = claims(65_537).unwrap_err().to_string();
    assert_eq!(
        message,
        "the trace is damaged: batch 1: it has more than 65536 rows"
    );
}

#[test]
fn lists_that_are_out_of_order_are_refused() {
    let refused = |change: fn(&mut Results)| {
        let mut results = results();
        change(&mut results);
        let writer = TraceWriter::new(Vec::new(), header()).unwrap();
        let file = writer.finish(results).unwrap();
        let message = read(&file).unwrap_err().to_string();
        message.replace("the trace is damaged: its description of the run: ", "")
    };
    assert_eq!(
        refused(|results| results.processes[0].pid = 1 << 30),
        "process 1073741824 is listed in place of process 0"
    );
    assert_eq!(
        refused(|results| results.elements.swap(0, 1)),
        "element 0 is listed after element 3"
    );
}

#[test]
fn no_byte_makes_the_reader_panic_or_take_much_memory() {
    let bytes = file(&records(300));
    let mut random = Random(3);
    let mut refused = 0;
    for _ in 0..3000 {
        let mut bytes = bytes.clone();
        for _ in 0..=random.below(2) {
            let place = random.below(u32::try_from(bytes.len()).unwrap()) as usize;
            bytes[place] = [0, 1, 0x7f, 0x80, 0xff][random.below(5) as usize];
        }
        match read(&bytes) {
            Ok(records) => assert!(records.len() <= 300 * 1000),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 150, "{refused}");
}

/// A disk that is full after some bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_told() {
    let records = records(1000);
    let length = file(&records).len();
    for room in (0..length).step_by(1001) {
        let written = TraceWriter::new(Full(room), header())
            .and_then(|mut writer| writer.write(&records).map(|()| writer))
            .and_then(|writer| writer.finish(results()));
        let Err(error) = written else {
            panic!("{room} of {length} bytes")
        };
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
