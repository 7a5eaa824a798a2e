//! The canvas in a browser: copies, layout, search and pictures.

use std::fs;

use crate::studio::{CONTROL, ENTER, LAPW0, Page, SAMPLE, SHIFT};
use serde_json::Value;

/// Names and places of the nodes of the first diagram, in the model's order.
fn nodes(page: &Page) -> Vec<(String, [f64; 2])> {
    let state = page.state();
    let nodes = state["diagrams"][0]["nodes"].as_array().unwrap().iter();
    let place = |node: &Value| ["x", "y"].map(|it| node[it].as_f64().unwrap());
    nodes
        .map(|it| (it["name"].as_str().unwrap().to_owned(), place(it)))
        .collect()
}

#[test]
fn a_copy_has_all_that_its_original_has() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    page.browser.click("[data-element-id='_SFT']");
    page.browser.press_while(CONTROL, "c");
    page.browser.press_while(CONTROL, "v");
    page.until("document.querySelectorAll('.djs-shape').length === 15");
    page.browser.press_while(CONTROL, "s");
    page.shows("Saved");
    let text = fs::read_to_string(page.file()).unwrap();
    assert_eq!(text.matches("cost=\"DoSFT()\"").count(), 2);
    let copies = nodes(&page);
    let (name, place) = copies.last().unwrap();
    let (original, old) = copies.iter().find(|it| it.0 == "SFT").unwrap();
    assert!(name.starts_with(original.as_str()), "{name}");
    assert!(place[0] > old[0] && place[1] > old[1], "{place:?} {old:?}");
    // What was cut comes back, and so does the file.
    page.browser.press_while(CONTROL, "z");
    page.until("document.querySelectorAll('.djs-shape').length === 14");
    page.browser.press_while(CONTROL, "s");
    page.until("document.body.innerText.includes('Saved')");
    assert_eq!(fs::read_to_string(page.file()).unwrap(), LAPW0);
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn a_layout_is_one_step() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    let before = nodes(&page);
    page.browser.click("[data-element-id='_SFT']");
    page.browser.press("l");
    page.until(
        "fetch('api/state').then(it => it.json()).then(it => window.moved = it.undo)\
         && window.moved",
    );
    let after = nodes(&page);
    assert_eq!(before.len(), after.len());
    assert_ne!(before, after);
    // The layout puts each action of LAPW0's chain below the one before.
    let top = |name: &str| after.iter().find(|it| it.0 == name).unwrap().1[1];
    assert!(top("SFT") > top("ETOTAL"));
    assert!(top("Output3") > top("SFT"));
    page.browser.press_while(CONTROL, "z");
    page.until(
        "fetch('api/state').then(it => it.json()).then(it => window.left = it.undo)\
         && window.left === null",
    );
    assert_eq!(nodes(&page), before);
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn a_click_on_a_handle_changes_nothing() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    // The places are not written in the file, and are no whole numbers.
    page.browser.click("[data-element-id='_SFT'] .djs-hit");
    page.until("document.querySelector('.djs-resizer-hit')");
    for corner in ["nw", "n", "ne", "e", "se", "s", "sw", "w"] {
        page.browser
            .click(&format!(".djs-resizer-{corner} .djs-resizer-hit"));
    }
    let shift = |script: &str| {
        let places = format!(
            "const {{left, top, width, height}} = document.querySelector(\
             '[data-element-id=_SFT] .djs-hit').getBoundingClientRect(); {script}"
        );
        page.browser.run(&places)
    };
    // A resize that is one comes after them.
    let corner = "return [left + width, top + height].map(Math.round)";
    let from: (i64, i64) = serde_json::from_value(shift(corner)).unwrap();
    assert_eq!(page.state()["revision"], 1);
    let wide = shift("return width");
    page.browser.drag(from, (from.0 + 30, from.1 + 20), "");
    page.until("document.querySelector('[aria-label=\"Undo: Resize\"]')");
    assert_eq!(page.state()["revision"], 2);
    assert!(shift("return width").as_f64() > wide.as_f64());
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn a_search_selects_what_it_finds() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    page.browser.click("[data-element-id='_SFT']");
    page.browser.press_while(CONTROL, "f");
    page.until("document.querySelector('.chooser input')");
    page.browser.press("output");
    page.browser.press(ENTER);
    page.until("document.querySelector('[data-element-id=\"_Output3\"].selected')");
    assert_eq!(page.browser.console(), [""; 0]);
}

/// Does what downloads a file with that ending, and waits for it.
fn downloaded(page: &Page, end: &str, act: impl FnOnce()) -> Vec<u8> {
    let downloads = page.file().with_file_name("downloads");
    fs::create_dir_all(&downloads).unwrap();
    page.browser.save_to(&downloads);
    act();
    // The browser writes the file when it likes.
    let shown = "return new Promise(done => setTimeout(done, 50))";
    let file = (0..200).find_map(|_| {
        page.browser.run(shown);
        let files = fs::read_dir(&downloads).unwrap().flatten();
        let mut names = files.map(|it| it.path());
        names.find(|it| it.to_string_lossy().ends_with(end))
    });
    fs::read(file.expect("it is downloaded")).unwrap()
}

#[test]
fn a_diagram_is_saved_as_a_picture() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    page.browser.click("[data-element-id='_SFT']");
    for (key, end, start) in [
        ("s", "LAPW0.svg", &b"<svg"[..]),
        ("p", "LAPW0.png", b"\x89PNG"),
    ] {
        let file = downloaded(&page, end, || page.browser.press_while(SHIFT, key));
        assert!(file.starts_with(start), "{end}");
    }
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn an_animation_is_saved_as_a_picture_that_moves() {
    let Some(page) = Page::open(SAMPLE) else {
        return;
    };
    page.shows("194.18 s");
    let film = downloaded(&page, ".film.svg", || {
        page.browser.press_while(SHIFT, "e");
        page.shows("one file that plays in any browser");
        page.browser.press("the animation");
        page.browser.press(ENTER);
    });
    let film = String::from_utf8(film).unwrap();
    // One process, from the initial node to the final one, at times that grow.
    assert_eq!(film.matches("<animateTransform ").count(), 1, "{film}");
    let (_, times) = film.split_once("keyTimes=\"").unwrap();
    let (times, _) = times.split_once('"').unwrap();
    let times: Vec<f64> = times.split(';').map(|it| it.parse().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert_eq!((times[0], times[times.len() - 1]), (0.0, 1.0));
    let (_, places) = film.split_once("values=\"").unwrap();
    let (places, _) = places.split_once('"').unwrap();
    assert_eq!(places.split(';').count(), times.len(), "{places}");
    assert!(!film.contains("<script"), "it plays without scripts");
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn the_palette_has_groups_and_finds_entries() {
    let Some(page) = Page::open(SAMPLE) else {
        return;
    };
    page.shows("194.18 s");
    let listed = "return [...document.querySelectorAll('.palette section')].map(section => \
         [...section.querySelectorAll('h2, .entry span')].map(it => it.textContent).join(' '))";
    let groups = || page.browser.run(listed);
    let all = groups();
    let all: Vec<&str> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.as_str().unwrap())
        .collect();
    let heads: Vec<&str> = all.iter().filter_map(|it| it.split(' ').next()).collect();
    assert_eq!(
        &heads[..4],
        ["Nodes", "Work", "Messages", "Collectives"],
        "{all:?}"
    );
    assert!(all[1].starts_with("Work action+"), "{all:?}");
    page.browser
        .run("document.querySelector('.palette input').focus()");
    page.browser.press("barrier");
    assert_eq!(
        groups(),
        serde_json::json!(["Collectives barrier", "Threads ompbarrier"])
    );
    page.browser.press("x");
    page.shows("Nothing is named so.");
    assert_eq!(page.browser.console(), [""; 0]);
}
