//! Tests the table of points, the selected point, and the address.

use prophet_testing::{BrowserPage, PAINTED};
use serde_json::{Value, json};

use super::synthetic::{grid, sample};
use super::{ENTER, open};

/// Returns the texts in a table column, of the rows in the document.
fn column(page: &BrowserPage, place: usize) -> Vec<String> {
    page.column("#points-table tbody tr:not(.spacer)", place)
}

#[test]
fn heads_sort_by_keyboard() {
    let Some(page) = open("sort", &grid()) else {
        return;
    };
    page.run("document.querySelectorAll('#points-table thead button')[4].focus()");
    page.browser.press(ENTER);
    assert_eq!(column(&page, 0)[..2], ["104", "92"], "the least time first");
    page.browser.press(ENTER);
    assert_eq!(column(&page, 4)[0], "128.3\u{202f}s");
    let sorted = page.run(
        "return document.querySelectorAll('#points-table thead th')[4].getAttribute('aria-sort')",
    );
    assert_eq!(sorted, "descending");
    // Points without a result are last in either order.
    let last = "const rows = sweep.rows(); return rows[rows.length - 1]";
    assert_eq!(page.run(last), 96);
    page.browser.press(ENTER);
    assert_eq!(page.run(last), 96);
    page.is_quiet();
}

#[test]
fn fields_keep_some_points() {
    let Some(page) = open("fields", &grid()) else {
        return;
    };
    let count = "return sweep.rows().length";
    for (field, text, expected) in [
        ("p0", ">64", 24),
        ("p0", ">=64", 36),
        ("p0", "<2", 12),
        ("p0", "<= 2", 24),
        ("p0", "4..16", 36),
        ("p0", "16", 12),
        ("p0", "1e1", 0),
        ("p1", "i", 72),
        ("p1", "=ideal", 36),
        ("p1", "ideal|ETHER", 72),
        ("p1", "nothing", 0),
        ("r0", "<0.1", 1),
        ("r0", "no number", 108),
    ] {
        page.set(&format!("filter-{field}"), text);
        assert_eq!(page.run(count), expected, "{field} {text}");
        let invalid = page.run(&format!(
            "return document.getElementById('filter-{field}').getAttribute('aria-invalid')"
        ));
        assert_eq!(invalid, if text == "no number" { "true" } else { "false" });
        page.set(&format!("filter-{field}"), "");
        assert_eq!(page.run(count), 108);
    }
    page.set("filter-p0", ">64");
    page.set("filter-p1", "ideal");
    assert_eq!(page.run(count), 8);
    let told = page.run("return document.querySelector('#points output').textContent");
    assert_eq!(told, "8 of 108\u{202f}points pass the filters");
    page.browser.click("#points .controls button");
    assert_eq!(page.run(count), 108);
    page.is_quiet();
}

/// Tests that printed pages leave no space for points that aren't in the document.
#[test]
fn paper_has_the_first_points_and_no_room_for_others() {
    let rows = "return [...document.querySelectorAll('#points-table tbody tr')].length";
    let room = "return [...document.querySelectorAll('.spacer td')].map(it => it.offsetHeight)";
    for (data, on_paper, told) in [(grid(), 108, None), (sample(5000), 201, Some("4,800"))] {
        let Some(page) = open("paper", &data) else {
            return;
        };
        page.run("dispatchEvent(new Event('beforeprint'))");
        assert_eq!(page.run(rows), on_paper);
        assert_eq!(page.run(room), json!([]));
        let last = page.run("return document.querySelector('.unprinted')?.textContent ?? null");
        match told {
            None => assert_eq!(last, Value::Null),
            Some(count) => {
                let last = last.as_str().unwrap().replace('\u{202f}', ",");
                assert!(last.starts_with(&format!("{count},more points")), "{last}");
            }
        }
        page.run("dispatchEvent(new Event('afterprint'))");
        assert_eq!(
            page.run("return document.querySelectorAll('.spacer').length"),
            2
        );
        page.is_quiet();
    }
}

#[test]
fn a_point_has_its_command_line() {
    let Some(page) = open("command", &grid()) else {
        return;
    };
    page.browser.devtools(
        "Browser.grantPermissions",
        &json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }),
    );
    let expected = "performance-prophet run jacobi.uml --seeds 30 --nodes 1 \
                    --network ethernet nat=64 -- --machine small";
    page.browser
        .click("#points-table tbody tr:nth-child(3) .place");
    let copied = page
        .browser
        .run_async("setTimeout(() => navigator.clipboard.readText().then(done, done), 100)");
    assert_eq!(copied, expected);
    page.browser.click("#points-table tbody tr:nth-child(3) a");
    assert_eq!(
        page.run("return document.querySelector('.command code').textContent"),
        expected
    );
    let address = "setTimeout(() => done(location.hash), 900)";
    let found = page.browser.run_async(address);
    assert!(found.as_str().unwrap().contains("point=1"), "{found}");
    // A failed point shows the reason.
    page.run("location.hash = 'point=96'");
    page.browser.run_async(PAINTED);
    assert_eq!(page.run("return sweep.selectedRow.get()"), 96);
    let note = page.run("return document.querySelector('#point .note').textContent");
    assert_eq!(note, "deadlock: <b>all</b> wait");
    page.is_quiet();
}

#[test]
fn an_address_shows_what_was_seen() {
    let Some(page) = open("address", &grid()) else {
        return;
    };
    page.set("filter-p0", "4..64");
    page.set("curve-by", "p2");
    page.set("map-result", "r2");
    page.set("at-p1", "0");
    page.run("document.querySelectorAll('#points-table thead button')[4].click()");
    let told = |page: &BrowserPage| {
        page.run(
            "return [sweep.rows().slice(0, 5), sweep.read('curve-time').rows, \
             sweep.read('heat-map').heads]",
        )
    };
    let before = told(&page);
    let address = page
        .browser
        .run_async("setTimeout(() => done(location.hash), 500)");
    for part in ["only-p0=4..64", "curve-by=p2", "sort=r0", "at-p1=0"] {
        assert!(
            address.as_str().unwrap().contains(part),
            "{part} is not in {address}"
        );
    }
    page.run("location.reload()");
    page.browser.run_async(PAINTED);
    assert_eq!(told(&page), before);
    // A malformed address changes nothing, and is shown only as text.
    for part in [
        "point=-1&sort=r99-&at-p1=77&curve-x=constructor",
        "point=1e3&sort=__proto__&map-x=%3Cimg%3E",
        "only-r0=%3Cimg%20src=x%3E&curve-pays=9",
    ] {
        page.run(&format!("location.hash = {}", Value::from(part)));
        page.browser.run_async(PAINTED);
        assert_eq!(page.run("return sweep.rows().length"), 108, "{part}");
        assert_eq!(page.run("return sweep.selectedRow.get()"), 104, "{part}");
    }
    page.is_quiet();
}

/// Tests that with a hundred thousand points, the document contains few rows, and charts say what
/// they leave out.
#[test]
fn a_hundred_thousand_points_stay_usable() {
    let data = sample(100_000);
    let Some(page) = open("large", &data) else {
        return;
    };
    let times = page.run(
        "const [timing] = performance.getEntriesByType('navigation'); \
         const timed = (act) => { const start = performance.now(); act(); \
         return Math.round(performance.now() - start); }; \
         const heads = document.querySelectorAll('#points-table thead button'); \
         return { loaded: Math.round(timing.loadEventEnd), sort: timed(() => heads[4].click()), \
         filter: timed(() => sweep.filters.set(new Map([['p0', '1.2..1.7']]))) }",
    );
    // The times are for people to read (`-- --nocapture`), because machines differ.
    eprintln!("100,000 points, in ms: {times}");
    assert_eq!(page.run("return sweep.data.table.index.length"), 100_000);
    assert!(column(&page, 0).len() < 60);
    for id in [
        "curve-time",
        "heat-map",
        "front-chart",
        "tornado",
        "parallel",
    ] {
        page.show(id);
    }
    let nodes = page.run("return document.querySelectorAll('*').length");
    assert!(nodes.as_u64().unwrap() < 8000, "{nodes} elements");
    let notes = page.run(
        "return [...document.querySelectorAll('.meaning')].map((it) => it.textContent).join('|')",
    );
    for said in [
        "means of 24 ranges",
        "Of the others, 1,500 are drawn",
        "1,000 of the lines",
    ] {
        assert!(
            notes.as_str().unwrap().contains(said),
            "{said} is not in {notes}"
        );
    }
    // Showing the end of the table takes as little time as showing its start.
    page.run("sweep.filters.set(new Map())");
    page.run("const box = document.querySelector('.points'); box.scrollTop = box.scrollHeight");
    page.browser.run_async(PAINTED);
    let last = page.run("return sweep.rows()[99999]");
    assert_eq!(
        column(&page, 0).last().unwrap().replace(',', ""),
        last.to_string()
    );
    page.keep_picture("large", 1280, "light");
    page.is_quiet();
}

#[test]
fn a_page_says_that_it_has_a_part() {
    let mut data = grid();
    data.table.points = 5_000_000;
    let Some(page) = open("part", &data) else {
        return;
    };
    let notes = page.run("return document.querySelector('#sweep').textContent");
    let said = "This page has 108 of 5,000,000\u{202f}points, chosen by chance";
    assert!(notes.as_str().unwrap().contains(said), "{notes}");
    page.is_quiet();
}

/// Tests that pages of sweeps without results, parameters or points omit what is missing.
#[test]
fn pages_of_little_are_whole() {
    let mut data = grid();
    data.table.measures.clear();
    data.marked.clear();
    let one = prophet_sweep::page::PageData {
        model: "Empty".to_owned(),
        ..prophet_sweep::page::PageData::default()
    };
    let titles = "return [...document.querySelectorAll('h2')].map((it) => it.textContent)";
    for (name, data, expected) in [
        (
            "no-results",
            &data,
            json!(["What was swept", "One point", "Points"]),
        ),
        ("empty", &one, json!(["What was swept"])),
    ] {
        let Some(page) = open(name, data) else {
            return;
        };
        assert_eq!(page.run(titles), expected);
        page.is_quiet();
    }
}
