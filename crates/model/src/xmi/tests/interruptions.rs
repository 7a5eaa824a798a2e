//! Regions that are interrupted, and handlers of exceptions.

use expect_test::expect;

use super::{outline, source};
use crate::diagnostic::Diagnostics;
use crate::vocabulary::Vocabulary;
use crate::xmi::{Guards, read_as};

const REGION: &str = include_str!("region.txt");

#[test]
fn interruptions_are_left_out_where_that_may_be_assumed() {
    let source = source(REGION);
    let mut diagnostics = Diagnostics::new();
    let own = Vocabulary::NONE;
    let model = read_as(Guards::Words, own, &source, None, &mut diagnostics).expect("it is read");
    assert!(!diagnostics.has_errors());
    let told = model
        .assumed
        .iter()
        .map(|it| (it.text.as_str(), it.gone.len()));
    let text = "the flow from M::Main::Stop to M::Main::B is never taken: its region is not \
                interrupted";
    assert!(told.eq([(text, 2)]), "{:?}", model.assumed);
    expect![[r#"
        model M starts at M::Main
        0 "Main" M::Main
          Initial InitialNode
          Action A
          Action B
          InitialNode -> A
    "#]]
    .assert_eq(&outline(&model));
}
