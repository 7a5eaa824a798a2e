//! Tests power and tariffs in files.

use prophet_runtime::Configuration;
use prophet_testing::assert_says;

use super::*;

#[test]
fn powers_are_kept_in_all_forms_of_a_machine() {
    let lines = "nodes = 3\ncpus-per-node = 4\n[power]\nidle = \"100W\"\none-cpu = \"120W\"\n\
                 all-cpus = \"0.18kW\"\nmemory = \"60pJ/B\"\nnetwork = \"1nJ/B\"\n\
                 network-idle = \"8W\"\n[[node]]\ncount = 1\n[[node]]\ncount = 2\nspeed = 0.5\n\
                 idle = \"80W\"\nall-cpus = \"120W\"\n[[accelerator]]\nname = \"gpu\"\n\
                 memory-bandwidth = \"1TB/s\"\nlink-bandwidth = \"1GB/s\"\nidle = \"50W\"\n\
                 busy = \"400W\"\n";
    let first = machine(lines);
    let xml = first.to_xml().expect("it has a form in XML");
    assert_says(&xml, &["    <power all-cpus=\"0.18kW\" idle=\"100W\""]);
    let second = Machine::parse_xml(&xml, "m.xml").expect(&xml);
    assert_eq!(first.entries(), second.entries());
    let mut shown = first.entries();
    shown.retain(|(key, _)| ["power", "node"].contains(key));
    expect_test::expect![[r#"
        [("node", List([Text("1 node with speed 1"), Text("2 nodes with speed 0.5, idle 80W, one CPU 120W, all CPUs 120W")])), ("power", Text("idle 100W, one CPU 120W, all CPUs 180W, memory 6e-11J/B, network idle 8W, network 1e-9J/B"))]"#]]
    .assert_eq(&format!("{shown:?}"));
}

#[test]
fn a_tariff_prices_energy_and_nodes() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        path.to_str().expect("it is text").to_owned()
    };
    let power = format!("name = \"m\"\nsource = \"a test\"\n{STEP}");
    let (with, without) = (
        path("m.toml", &power),
        path("n.toml", "name='n'\nsource='s'\n"),
    );
    let tariff = path(
        "t.toml",
        "source = \"a contract\"\ncurrency = \"EUR\"\n[[tariff]]\nfrom = \"2026-01-01\"\n\
         kwh = 0.3\nnode-hour = 2\ncarbon = 400\n[[tariff]]\nfrom = \"2026-07-01\"\nkwh = 0.6\n",
    );
    let system = |flags: &[&str]| {
        let configuration = Configuration::read(&MODEL, flags)?;
        configuration.system()
    };
    let cost = |date: &[&str]| {
        let flags = ["--machine", &with, "--nodes", "1", "--tariff", &tariff];
        let system = system(&[&flags, date].concat()).expect("it is a system");
        let outcome = run(system, async |ctx| WORK.execute(ctx, 3600.0).await);
        outcome.cost.expect("there is a tariff")
    };
    // This is 180 W for an hour.
    let cheap = cost(&["--date", "2026-06-30"]);
    assert_eq!((&*cheap.tariff, &*cheap.currency), ("2026-01-01", "EUR"));
    assert_near(cheap.energy.expect("it has a price"), 0.18 * 0.3, 1e-12);
    assert_near(
        cheap.total.expect("it has a price"),
        0.18 * 0.3 + 2.0,
        1e-12,
    );
    assert_near(cheap.carbon_g.expect("it is known"), 72.0, 1e-12);
    let later = cost(&[]);
    assert_eq!(later.tariff, "2026-07-01");
    assert_near(
        later.total.expect("it has a price"),
        0.18 * 0.6 + 2.0,
        1e-12,
    );
    assert_eq!(cost(&["--date", "2026-07-01"]), later);

    let told = |flags: &[&str]| system(flags).expect_err("it is refused");
    let early = told(&[
        "--machine",
        &with,
        "--tariff",
        &tariff,
        "--date",
        "2025-12-31",
    ]);
    let expected = "no tariff for 2025-12-31: the first one starts on 2026-01-01";
    assert!(early.message.ends_with(expected), "{early}");
    let no_power = told(&["--machine", &without, "--tariff", &tariff]);
    assert_says(&no_power, &["the machine does not declare its power"]);
    let no_date = told(&["--tariff", &tariff, "--date", "1 May"]);
    assert_says(
        &no_date,
        &["expected a date such as 2026-01-31, found `1 May`"],
    );
}
