//! Tests what readers can choose on the page: a range of time, elements, what to save, and an
//! address.

use prophet_testing::{BrowserPage, PAINTED, keep_file};
use serde_json::Value;

use super::{column, open, ring};

const SHIFT: &str = "\u{e008}";
const ESCAPE: &str = "\u{e00c}";
const TAB: &str = "\u{e004}";
const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";

/// Waits until the page has written its address.
const WRITTEN: &str = "setTimeout(() => done(decodeURIComponent(location.hash)), 400)";

fn range(page: &BrowserPage) -> Option<(f64, f64)> {
    let range = page.run("return report.selectedRange.get()");
    Some((range["from"].as_f64()?, range["to"].as_f64()?))
}

/// Returns the sums over all processes in the bars: compute, communication, wait.
fn bars(page: &BrowserPage) -> [f64; 3] {
    let sums = page.run(
        "return ['compute_s', 'communication_s', 'wait_s'].map((part) => \
         report.read('process-bars').reduce((sum, bar) => sum + bar[part], 0))",
    );
    [0, 1, 2].map(|part| sums[part].as_f64().expect("a sum"))
}

fn assert_near(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-9 * expected.abs().max(1e-9),
        "{found} is not {expected}"
    );
}

/// Returns the sums of the records in a range, computed independently of the page.
fn within(from: f64, to: f64) -> [f64; 3] {
    let data = ring();
    let records = data.records.as_ref().expect("it was traced");
    let mut parts = [0.0; 3];
    for (index, state) in records.state.iter().enumerate() {
        let seconds = records.end_s[index].min(to) - records.start_s[index].max(from);
        let part = match state {
            0 => 0,
            1 | 2 | 4 => 1,
            _ => 2,
        };
        parts[part] += seconds.max(0.0);
    }
    parts
}

#[test]
fn numbers_are_those_of_the_range_that_is_dragged() {
    let data = ring();
    let Some(page) = open("range", &data) else {
        return;
    };
    let whole = bars(&page);
    let box_of = page.run(
        "const canvas = document.getElementById('timeline'); \
         canvas.scrollIntoView({block: 'center'}); \
         const box = canvas.getBoundingClientRect(); \
         return [box.left, box.top, box.width, box.height].map(Math.round)",
    );
    page.browser.run_async(PAINTED);
    let at = |index: usize| box_of[index].as_i64().expect("a place");
    let (left, wide) = (at(0) + 52, at(2) - 66);
    let y = at(1) + 60;
    page.browser
        .drag((left + wide / 4, y), (left + wide / 2, y), SHIFT);
    let (from, to) = range(&page).expect("a range is chosen");
    let end = data.run.predicted_time_s;
    assert!(
        (from / end - 0.25).abs() < 0.01 && (to / end - 0.5).abs() < 0.01,
        "{from} to {to} of {end}"
    );
    for (shown, expected) in bars(&page).into_iter().zip(within(from, to)) {
        assert_near(shown, expected);
    }
    let view = page.run("const {t0, t1} = report.read('timeline'); return [t0, t1]");
    assert_eq!(view[0], 0.0, "the drag does not move the diagram");
    let states = column(&page, "range-states", 0);
    assert!(states.contains(&"compute".to_owned()), "{states:?}");
    let elements = column(&page, "range-elements", 0);
    assert_eq!(elements.len(), 4);
    let caption = "return document.querySelector('#element-table caption').textContent";
    let caption = page.run(caption);
    assert!(
        caption
            .as_str()
            .unwrap()
            .starts_with("Elements of process 0, "),
        "{caption}"
    );
    page.browser.click("#range-whole");
    assert_eq!(range(&page), None);
    assert_eq!(bars(&page).map(f64::to_bits), whole.map(f64::to_bits));
    page.is_quiet();
}

#[test]
fn keys_choose_a_range_and_leave_it() {
    let data = ring();
    let Some(page) = open("range-keys", &data) else {
        return;
    };
    let end = data.run.predicted_time_s;
    page.run("document.getElementById('timeline').focus()");
    page.browser.press("++s");
    let (from, to) = range(&page).expect("what is seen is chosen");
    assert_near(to - from, end * 0.49);
    for (shown, expected) in bars(&page).into_iter().zip(within(from, to)) {
        assert_near(shown, expected);
    }
    page.browser.press_while(SHIFT, LEFT);
    let (_, nearer) = range(&page).expect("it is still chosen");
    assert_near(to - nearer, 0.02 * end * 0.49);
    page.browser.press_while(SHIFT, RIGHT);
    assert_near(range(&page).unwrap().1, to);
    let said = page.run("return document.querySelector('[role=status]').textContent");
    assert!(said.as_str().unwrap().starts_with("Range "), "{said}");
    page.browser.press(ESCAPE);
    assert_eq!(range(&page), None);
    // The ends of the range are typed as numbers, in any order.
    page.run(&format!(
        "const from = document.getElementById('range-from'); from.value = '{}'; \
         document.getElementById('range-to').value = '{}'; \
         from.dispatchEvent(new Event('change'))",
        end / 2.0,
        end / 4.0
    ));
    let (from, to) = range(&page).expect("a range is typed");
    assert_near(from, end / 4.0);
    assert_near(to, end / 2.0);
    page.is_quiet();
}

/// Tests that the threads of a team share the process's time, and that joined records are
/// mentioned.
#[test]
fn ranges_of_threads_and_of_joined_records() {
    let mut data = ring();
    let records = data.records.as_mut().unwrap();
    records.parts = vec![2; records.state.len()].into();
    records.joined = true;
    let Some(page) = open("range-parts", &data) else {
        return;
    };
    let end = data.run.predicted_time_s;
    page.run("document.getElementById('timeline').focus()");
    page.browser.press("++s");
    let (from, to) = range(&page).expect("what is seen is chosen");
    assert!(to - from < end);
    for (shown, both) in bars(&page).into_iter().zip(within(from, to)) {
        assert_near(shown, both / 2.0);
    }
    let note = page.run("return document.querySelector('.chosen-range .note').textContent");
    assert!(note.as_str().unwrap().contains("near, not exact"), "{note}");
    page.is_quiet();
}

#[test]
fn a_slash_finds_elements_in_tables_and_drawings() {
    let Some(page) = open("find", &ring()) else {
        return;
    };
    page.browser.press("/halo");
    assert_eq!(page.run("return document.activeElement.id"), "find");
    let count = "return document.getElementById('find-count').textContent";
    assert_eq!(page.run(count), "2 of 4\u{202f}elements");
    let names = column(&page, "element-table", 0);
    assert_eq!(names.len(), 2);
    assert!(names.iter().all(|name| name.ends_with("Halo")), "{names:?}");
    assert_eq!(column(&page, "what-if-table", 0).len(), 2);
    let drawn = "return ['found', 'missed'].map((name) => \
                 document.querySelectorAll(`[data-element].${name}`).length)";
    assert_eq!(page.run(drawn), serde_json::json!([2, 3]));
    page.browser.press("x");
    assert_eq!(page.run(count), "0 of 4\u{202f}elements");
    let nothing = column(&page, "element-table", 0);
    assert_eq!(nothing, ["No element here has this in its name or type."]);
    page.browser.press(ESCAPE);
    assert_eq!(column(&page, "element-table", 0).len(), 4);
    assert_eq!(page.run(count), "");
    // Stereotypes are found too, and a typed slash is text.
    page.browser.press("action+");
    assert_eq!(column(&page, "element-table", 0), ["Sweep"]);
    page.browser.press("/");
    assert_eq!(
        page.run("return document.getElementById('find').value"),
        "action+/"
    );
    page.is_quiet();
}

#[test]
fn a_button_copies_the_line_of_an_element() {
    let Some(page) = open("places", &ring()) else {
        return;
    };
    page.browser.devtools(
        "Browser.grantPermissions",
        &serde_json::json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }),
    );
    let lines = column(&page, "element-table", 7);
    assert!(
        lines.contains(&"models/ring.uml:11".to_owned()),
        "{lines:?}"
    );
    let button = "#element-table tbody tr:nth-child(1) .place";
    let line = page.run(&format!(
        "return document.querySelector('{button}').textContent"
    ));
    page.browser.click(button);
    let copied = page
        .browser
        .run_async("setTimeout(() => navigator.clipboard.readText().then(done, done), 100)");
    assert_eq!(copied, line);
    let said = page.run("return document.querySelector('[role=status]').textContent");
    assert_eq!(said, format!("Copied {}", line.as_str().unwrap()));
    page.run("navigator.clipboard.writeText = () => Promise.reject(new Error())");
    page.run(&format!("document.querySelector('{button}').focus()"));
    page.browser.press("\u{e007}");
    page.browser.run_async(PAINTED);
    let said = page.run("return document.querySelector('[role=status]').textContent");
    assert!(said.as_str().unwrap().starts_with("Not copied"), "{said}");
    page.is_quiet();
}

#[test]
fn charts_are_saved_as_pictures_and_numbers() {
    let mut data = ring();
    data.run.model = "../ring: \u{202e}of <32>".to_owned();
    data.elements[0].name = "=cmd|' /C calc'!A0".to_owned();
    data.elements[1].name = "a \"b\", c".to_owned();
    let Some(page) = open("exports", &data) else {
        return;
    };
    let folder = tempfile::tempdir().expect("there is room");
    page.browser.save_to(folder.path());
    let file = |name: &str| page.saved(folder.path(), &format!("_ring_of_32_-{name}"));
    page.browser.click("#process-bars-csv");
    let text = String::from_utf8(file("process-bars.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("process,node,compute_s,communication_s,wait_s")
    );
    let first: Vec<&str> = lines.next().unwrap().split(',').collect();
    let shown: f64 = first[2].parse().unwrap();
    assert_eq!(shown.to_bits(), data.processes.compute_s[0].to_bits());
    assert_eq!(lines.count(), 31);
    // Press the button with the keyboard.
    page.run("document.getElementById('timeline-csv').focus()");
    page.browser.press("\u{e007}");
    let text = String::from_utf8(file("timeline.csv")).unwrap();
    let records = data.records.as_ref().unwrap();
    assert_eq!(text.lines().count(), 1 + records.state.len());
    assert!(
        text.contains("\n0,'=cmd|' /C calc'!A0,compute,0,"),
        "formula"
    );
    assert!(text.contains(",\"a \"\"b\"\", c\",send,"), "quotes");
    for name in ["process-bars", "timeline", "critical-path", "matrix"] {
        page.browser.click(&format!("#{name}-png"));
        let picture = file(&format!("{name}.png"));
        assert!(picture.starts_with(b"\x89PNG\r\n"), "{name}");
        keep_file(&format!("{name}.png"), &picture);
    }
    for name in ["process-pie", "diagram-0", "speedup", "efficiency"] {
        page.browser.click(&format!("#{name}-svg"));
        let drawing = String::from_utf8(file(&format!("{name}.svg"))).unwrap();
        assert!(drawing.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
        assert!(drawing.contains("fill=\"rgb("), "{name} has its colors");
        keep_file(&format!("{name}.svg"), drawing.as_bytes());
    }
    for name in [
        "critical-path",
        "matrix",
        "process-pie",
        "diagram-0",
        "speedup",
        "utilization-0",
        "utilization-map-0",
    ] {
        page.browser.click(&format!("#{name}-csv"));
        let text = String::from_utf8(file(&format!("{name}.csv"))).unwrap();
        assert!(text.lines().count() > 1, "{name}: {text}");
    }
    let charts = page.run(
        "return [...document.querySelectorAll('canvas, figure svg, #process-pie')]\
         .filter((chart) => !chart.closest('figure, .chart, .pie').querySelector('.exports'))\
         .map((chart) => chart.id)",
    );
    assert_eq!(charts, serde_json::json!([]), "charts without buttons");
    page.is_quiet();
}

#[test]
fn an_address_shows_what_was_seen() {
    let data = ring();
    let Some(page) = open("address", &data) else {
        return;
    };
    assert_eq!(page.browser.run_async(WRITTEN), "");
    page.run("document.getElementById('timeline').focus()");
    page.browser.press("++s");
    page.run(
        "const set = (id, value) => { const input = document.getElementById(id); \
         input.value = value; input.dispatchEvent(new Event('change', { bubbles: true })); }; \
         set('process', '7'); set('timeline-color', 'element'); set('process-order', 'wait_s')",
    );
    page.browser.click("#timeline-messages");
    page.browser.click("#element-table th:nth-child(1) button");
    page.browser.press("/halo");
    let told = |page: &BrowserPage| {
        let seen = page.run(
            "const table = document.querySelector('#element-table'); return [\
             report.selectedRange.get(), report.selectedProcess.get(), \
             report.read('timeline').t0, table.textContent, \
             document.getElementById('find').value, \
             document.getElementById('timeline-color').value, \
             document.getElementById('timeline-messages').checked, \
             report.read('process-bars').map((bar) => bar.pid)]",
        );
        assert_eq!(seen.as_array().map(Vec::len), Some(8));
        seen
    };
    let before = told(&page);
    let address = page.browser.run_async(WRITTEN);
    let address = address.as_str().expect("a fragment");
    for part in [
        "range=",
        "view=",
        "process=7",
        "find=halo",
        "sort-element-table=0a",
    ] {
        assert!(address.contains(part), "{part} is not in {address}");
    }
    assert!(!address.contains("sort-matrix-table"), "{address}");
    page.run("location.reload()");
    page.browser.run_async(PAINTED);
    assert_eq!(told(&page), before);
    // A link within the page leads to its target and keeps the selection.
    page.browser.click("#contents a[href='#messages']");
    let address = page.browser.run_async(WRITTEN);
    let address = address.as_str().expect("a fragment");
    assert!(address.contains("find=halo"), "{address}");
    page.is_quiet();
}

/// Tests that an invalid address, which no page would write, is ignored without an error.
#[test]
fn a_strange_address_changes_nothing() {
    let Some(page) = open("strange", &ring()) else {
        return;
    };
    let long = "9".repeat(300);
    for part in [
        "range=1e999,NaN".to_owned(),
        "range=-1,0.5&view=5,4,3,2,1".to_owned(),
        "range=0.0001".to_owned(),
        format!("process={long}"),
        "process=1e1&process-order=__proto__&timeline-color=constructor".to_owned(),
        "sort-element-table=99d&sort-matrix-table=<script>".to_owned(),
        "timeline-messages=2&time=Infinity&at=%3Cimg%20src=x%3E".to_owned(),
        "__proto__=1&constructor=2&toString=3".to_owned(),
        "at=%E0%A4%A&=&&&===".to_owned(),
        format!("find={}", "a".repeat(9000)),
    ] {
        page.run(&format!("location.hash = {}", Value::from(part.clone())));
        page.browser.run_async(PAINTED);
        assert_eq!(range(&page), None, "{part}");
        let state = page.run(
            "return [report.selectedProcess.get(), report.simulatedTime.get(), \
             document.getElementById('find').value, \
             document.getElementById('process-order').value, \
             document.getElementById('timeline-messages').checked, report.read('timeline').t0]",
        );
        assert_eq!(state, serde_json::json!([0, 0, "", "", true, 0]), "{part}");
    }
    // Markup is shown as text.
    page.run("location.hash = 'find=' + encodeURIComponent('<img src=x onerror=alert(1)>')");
    page.browser.run_async(PAINTED);
    let found = page.run("return document.getElementById('find').value");
    assert_eq!(found, "<img src=x onerror=alert(1)>");
    page.browser.press(TAB);
    page.is_quiet();
}
