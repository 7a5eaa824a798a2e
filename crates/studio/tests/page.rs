//! Tests the page in a browser: what it loads, how much it draws, and an animated picture.

use crate::studio::{ENTER, LAPW0, Page, SAMPLE, SHIFT, downloaded};

#[test]
fn a_model_is_shown_with_its_prediction() {
    let Some(page) = Page::open(LAPW0) else {
        return;
    };
    // The sum of one process's costs: 13.05, 0.4181 times NAT = 32, and so on.
    page.shows("1,068.7 s");
    let nodes = "return document.querySelectorAll('.djs-shape').length";
    assert_eq!(page.browser.run(nodes), 14);
    assert_eq!(page.browser.console(), [""; 0]);
    let strangers = page.browser.requests().into_iter();
    let strangers: Vec<_> = strangers
        .filter(|it| it.starts_with("http") && !it.starts_with(&page.address))
        .collect();
    assert_eq!(strangers, [""; 0]);
}

#[test]
fn no_more_is_drawn_than_a_browser_bears() {
    use std::fmt::Write as _;

    let mut nodes = String::new();
    for number in 0..4_000 {
        let _ = write!(
            nodes,
            "<node xmi:type=\"uml:OpaqueAction\" xmi:id=\"_n{number}\"/>"
        );
    }
    let end = LAPW0.find("</ownedBehavior>").unwrap();
    let model = format!("{}{nodes}{}", &LAPW0[..end], &LAPW0[end..]);
    let Some(page) = Page::open(&model) else {
        return;
    };
    page.shows("This diagram has 4,014 nodes; the first 3,000 are drawn.");
    let drawn = "return document.querySelectorAll('.djs-shape').length";
    assert_eq!(page.browser.run(drawn), 3_000);
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn an_animation_is_saved_as_a_picture_that_moves() {
    let Some(page) = Page::open(SAMPLE) else {
        return;
    };
    page.shows("194.18 s");
    page.browser.press_while(SHIFT, "e");
    page.shows("one file that plays in any browser");
    page.browser.press("the animation");
    page.browser.press(ENTER);
    let film = String::from_utf8(downloaded(&page, ".film.svg")).unwrap();
    // One process moves from the initial to the final node, at increasing times.
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
