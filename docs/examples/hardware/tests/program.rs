//! Tests the hardware models in a program: what they predict, and what they report to users.

use std::io::Write as _;

use own_hardware::MODELS;
use prophet_runtime::{
    ActionPlus, BRecv, BSend, ByMachine, DeviceUse, Message, Model, ProcessCtx, RunHandle, Stopped,
    run_interpreted,
};
use prophet_trace::TraceReader;
use tempfile::NamedTempFile;

const SAVE: ActionPlus = ActionPlus::new(0, "Save", 1);
const SEND: BSend = BSend::new(1, "Send", 2);
const RECEIVE: BRecv = BRecv::new(2, "Receive", 3);

/// A program that writes 10 MB to a disk, with 2 seeks.
const MODEL: Model = Model::new("Saving", &[], 3).hardware(&[&MODELS]);
const DISK: DeviceUse =
    DeviceUse::new(0, "disk", &["bytes", "seeks"]).used_by("action+", "Save", 1);

/// Sends 1 MB from each process to the next one, and then uses the disk.
async fn program(ctx: &ProcessCtx<'_>, disk: &DeviceUse) -> Result<(), Stopped> {
    let (pid, count) = (ctx.pid(), ctx.num_processes());
    let (next, last) = ((pid.0 + 1) % count.0, (pid.0 + count.0 - 1) % count.0);
    SEND.execute(ctx, next, Message::bytes(1_000_000), ByMachine)
        .await?;
    RECEIVE
        .execute(ctx, last, Message::bytes(1_000_000), ByMachine)
        .await?;
    SAVE.execute(ctx, ctx.rud(disk, &[1e7, 2.0])).await
}

/// Runs the program with these flags. Returns the lines that it prints, or its error message.
fn run_using(disk: DeviceUse, flags: &str) -> Result<String, String> {
    let model = MODEL.uses(vec![disk].leak());
    let words = std::iter::once("saving").chain(flags.split_whitespace());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let program = async |ctx: &ProcessCtx<'_>| program(ctx, &disk).await;
    let words = words.map(Into::into);
    let handle = RunHandle::default();
    let code = run_interpreted(&model, program, words, (&mut out, &mut err), &handle);
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    if code == 0 {
        return Ok(text(out));
    }
    Err(text(err))
}

fn run(flags: &str) -> Result<String, String> {
    run_using(DISK, flags)
}

/// Returns the time on the first line that a run prints.
fn time(flags: &str) -> String {
    let printed = run(flags).unwrap_or_else(|error| panic!("{error}"));
    let line = printed.lines().next().unwrap_or_default();
    line.split_whitespace()
        .skip(2)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the first line of the error message of a run that must fail.
fn message(flags: &str) -> String {
    let error = run(flags).expect_err("it is refused");
    let mut lines = error.lines();
    lines.next().unwrap_or_default().to_owned()
}

const STAR: &str = "--nodes 4 --network shared:latency=0,bandwidth=1GB/s";
const HARD: &str = "--model disk=hard:bandwidth=100MB/s,seek=10ms";

#[test]
fn models_are_exchanged() {
    // The star sends messages at the same time, in 1 ms; the bus sends four of them one after
    // another. The disk takes 2 seeks and 10 MB, or reads page by page.
    assert_eq!(time(&format!("{STAR} {HARD}")), "121 ms");
    assert_eq!(
        time(&format!("{STAR} --model network=bus {HARD}")),
        "124 ms"
    );
    let bus = "--nodes 4 --network bus:latency=0,bandwidth=1GB/s,arbitration=1ms";
    assert_eq!(time(&format!("{bus} {HARD}")), "128 ms");
    let flash = "--model disk=flash:channels=1,bandwidth=16384B/s";
    assert_eq!(time(&format!("{STAR} {flash}")), "611.001 s");
}

#[test]
fn traces_have_the_columns_of_models() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.arrow");
    let network = "--nodes 4 --network bus:latency=0,bandwidth=1GB/s,arbitration=1ms";
    run(&format!("{network} {HARD} --trace {}", path.display())).expect("it runs");
    let mut reader = TraceReader::open(&path).expect("it is a trace");
    let network = reader.results().network.clone().expect("it is shared");
    assert_eq!(network.metrics, ["queued_s"]);
    let mut metrics = Vec::new();
    assert!(
        reader
            .metrics()
            .next_batch(&mut metrics)
            .expect("it is whole")
    );
    // The messages take 1 ms each and are sent one after another. The bus needs 1 ms before each of
    // them.
    let queued_s: Vec<f64> = metrics.iter().map(|metric| metric.value).collect();
    for (queued_s, expected_s) in queued_s.iter().zip([0.0, 0.002, 0.004, 0.006]) {
        assert!((queued_s - expected_s).abs() < 1e-12, "{queued_s} s");
    }
    assert_eq!(queued_s.len(), 4);
}

#[test]
fn the_workload_chooses_before_the_machine() {
    let flash = DISK.by("flash");
    let printed = run_using(flash, &format!("{STAR} {HARD}")).expect("it runs");
    assert!(printed.contains("3.523 ms"), "{printed}");
}

#[test]
fn the_machine_line_tells_the_models() {
    let printed =
        run(&format!("{STAR} --model network=bus {HARD} --format json")).expect("it runs");
    let line = printed.lines().find(|line| line.contains("\"machine\""));
    let line = line.expect("it is printed");
    for part in [
        "--network bus:topology=star,latency=0s,bandwidth=1GB/s",
        "--model disk=hard:seek=10ms,bandwidth=100MB/s",
    ] {
        assert!(line.contains(part), "{line}");
    }
}

#[test]
fn a_list_has_all_models() {
    let list = run("--model").expect("it is printed");
    for words in ["network  bus", "disk     hard", "disk     flash"] {
        assert!(list.contains(words), "{list}");
    }
}

#[test]
fn wrong_flags_are_told() {
    let of_model = |value: &str| message(&format!("--model {value}"));
    let prefix =
        |value: &str, rest: &str| format!("error: invalid value '{value}' for '--model': {rest}");
    for (value, problem) in [
        (
            "dsk=flash",
            "`dsk` is not a device of the program (CPU, memory, network, disk); did you mean \
             `disk`?",
        ),
        (
            "disk=flsh",
            "`flsh` is not a model of the device `disk` (hard, flash); did you mean `flash`?",
        ),
        (
            "disk=flash:chanels=2",
            "`flash` does not support `chanels` (it supports bandwidth, channels, page); did you \
             mean `channels`?",
        ),
        (
            "disk=flash:channels=0",
            "channels: `0` is out of range (from 1 to 1024)",
        ),
        (
            "disk=flash:channels=NaN",
            "channels: `NaN` is not a finite number",
        ),
        ("disk=flash:page=0", "page: `0` is out of range (above 0B)"),
        ("disk=flash:page=16kB,page=1B", "`page=` is set twice"),
        (
            "disk=hard",
            "`hard` needs `bandwidth=`: the bandwidth after a seek, such as `bandwidth=1GB/s`",
        ),
        (
            "disk",
            "expected `DEVICE=MODEL`, such as `network=packet`, found `disk`",
        ),
        (
            "network=buss",
            "`buss` is not a network model (hockney, loggp, shared, packet, bus); did you mean \
             `bus`?",
        ),
        (
            "CPU=clc",
            "the model `clc` needs operation prices, but the machine has none",
        ),
        (
            "CPU=clk",
            "`clk` is not a model of the device `CPU` (fixed, clc); did you mean `clc`?",
        ),
        ("memory=fast", "memory supports only the model `shared`"),
    ] {
        assert_eq!(of_model(value), prefix(value, problem));
    }
    let bus = message("--network bus:latency=0,bandwidth=1GB/s,arbitrtion=1us");
    assert!(bus.contains("`bus` does not support `arbitrtion`"), "{bus}");
    assert!(bus.ends_with("did you mean `arbitration`?"), "{bus}");
}

#[test]
fn what_a_model_needs_has_to_be_there() {
    let told = |disk: DeviceUse, flags: &str| run_using(disk, flags).expect_err("it is refused");
    let few = DeviceUse::new(0, "disk", &["bytes"]).used_by("action+", "Save", 1);
    let error = told(few, HARD);
    assert_eq!(
        error,
        "error: the machine cannot simulate what the model uses:\n  \
         action+ `Save` (id 1): disk=hard needs the missing resource `seeks`\n  use \
         `--model` to list the devices and their models, and to choose one\n"
    );
    let other = DeviceUse::new(0, "disk", &["byts"]).used_by("action+", "Save", 1);
    let error = told(other, "--model disk=flash");
    assert!(
        error.contains("disk=flash has no resource `byts`; did you mean `bytes`?"),
        "{error}"
    );
    let error = told(DeviceUse::new(0, "tape", &[]), "");
    assert!(
        error.contains("`tape` is not a device of the program"),
        "{error}"
    );
    // Takes the first model of the device, which has a setting without a default.
    let error = told(DISK, "");
    assert!(error.contains("`hard` needs `bandwidth=`"), "{error}");
}

#[test]
fn machines_describe_devices() {
    let file = |device: &str| {
        let mut file = NamedTempFile::with_suffix(".toml").expect("there is room");
        write!(file, "name = \"m\"\nsource = \"test\"\n{device}").expect("there is room");
        file
    };
    let of = |device: &str| {
        let file = file(device);
        run(&format!("--machine {}", file.path().display()))
    };
    let disk = "[[device]]\nname = \"disk\"\nmodel = \"hard\"\nbandwidth = \"100MB/s\"\n";
    assert!(
        of(disk)
            .expect("it runs")
            .starts_with("Predicted time  110.")
    );
    let two = format!("[[device]]\nname = \"disk\"\nmodel = \"flash\"\nchannels = 4\n{disk}");
    let file = file(&two);
    let machine = format!("--machine {}", file.path().display());
    assert!(
        run(&machine)
            .expect("it runs")
            .starts_with("Predicted time  5.")
    );
    // The machine's settings apply to the model that the flag names.
    let chosen = run(&format!("{machine} --model disk=hard")).expect("it runs");
    assert!(chosen.starts_with("Predicted time  110."), "{chosen}");
    for (device, problem) in [
        (
            disk.replace("hard", "hart"),
            ":3: `hart` is not a model of the device `disk`",
        ),
        (
            disk.replace("bandwidth", "speed"),
            ":3: `hard` does not support `speed`",
        ),
        (disk.replace("100MB/s", "fast"), ":6: bandwidth: "),
        (
            disk.replace("\"disk\"", "\"CPU\""),
            ":3: describe `CPU` with its own entries, not as a device",
        ),
        (
            disk.replace("model = \"hard\"\n", ""),
            ":3: the device needs a `model`",
        ),
        (
            disk.replace("name = \"disk\"\n", ""),
            ":3: a device needs a `name`",
        ),
    ] {
        let error = of(&device).expect_err(&device);
        assert!(error.contains(problem), "{error}");
    }
    // A machine may describe devices that only other programs use.
    assert!(of(&disk.replace("disk", "tape")).is_err_and(|error| error.contains("needs `")));
}

#[test]
fn machines_in_xml_describe_devices() {
    let text = "<system name='m' source='test'>\n\
                <device name='disk'>\n\
                <d:hard xmlns:d='http:///schemas/own-hardware/1' bandwidth='100MB/s'/>\n\
                </device>\n</system>";
    let file = NamedTempFile::with_suffix(".xml").expect("there is room");
    std::fs::write(file.path(), text).expect("there is room");
    let flags = format!("--machine {}", file.path().display());
    assert!(time(&flags).starts_with("110."));
    std::fs::write(file.path(), text.replace("100MB/s", "0")).expect("there is room");
    assert!(
        message(&flags).contains(":3: bandwidth: "),
        "{}",
        message(&flags)
    );
}
