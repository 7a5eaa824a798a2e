//! Export, comparison and fixes in a browser.

use std::fs;

use crate::studio::{ENTER, LAPW0, Page, SHIFT};

#[test]
fn a_misspelled_name_is_mended_by_a_click() {
    let Some(page) = Page::open(&LAPW0.replace("cost=\"DoSFT()\"", "cost=\"DoSTF()\"")) else {
        return;
    };
    page.shows("there is no function");
    page.browser.click(".problems-head");
    page.browser.click(".problems .fix");
    page.shows("No problems");
    page.shows("1,109.5 s");
    page.until("document.querySelector('[aria-label=\"Undo: Write DoSFT\"]')");
}

#[test]
fn the_model_is_compared_with_what_was_saved() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    let edit = "fetch('api/edit', {method: 'POST', \
        headers: {'content-type': 'application/json'}, body: JSON.stringify({revision: 1, \
        label: 'Set cost', edits: [{do: 'tag', element: '_SFT', tag: 'cost', value: '0'}]})})\
        .then(it => done(it.status))";
    assert_eq!(page.browser.run_async(edit), 200);
    page.shows("1,023.9 s");
    page.browser.press_while(SHIFT, "c");
    page.until("document.querySelector('.compare .total')");
    let total = "return document.querySelector('.compare .total').innerText";
    assert_eq!(
        page.browser.run(total),
        "Predicted time\t1,109.5 s\t1,023.9 s\t−7.7 %"
    );
    // What differs most comes first.
    let first = "return document.querySelectorAll('.compare tbody tr')[1].innerText";
    let first = page.browser.run(first).as_str().unwrap().to_owned();
    assert!(first.starts_with("SFT action+\t"), "{first}");
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn a_target_is_downloaded() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    let downloads = page.file().with_file_name("downloads");
    fs::create_dir(&downloads).unwrap();
    page.browser.save_to(&downloads);
    page.browser.press_while(SHIFT, "e");
    page.shows("OpenMP");
    page.browser.press("simgrid");
    page.browser.press(ENTER);
    let file = downloads.join("model-simgrid.zip");
    // The browser writes the file when it likes.
    let shown = "return new Promise(done => setTimeout(done, 50))";
    let written = (0..200).any(|_| {
        page.browser.run(shown);
        file.exists()
    });
    assert!(written, "{:?}", page.browser.console());
    let archive = fs::read(file).unwrap();
    assert!(archive.starts_with(b"PK"));
}
