use super::*;

fn shown_points(space: &Space) -> Vec<String> {
    let point = |index| {
        let values: Vec<String> = space.point(index).iter().map(ToString::to_string).collect();
        values.join(" ")
    };
    (0..space.points()).map(point).collect()
}

#[test]
fn the_last_dimension_varies_fastest() {
    let space = Space::parse(&["a=1,2", "b=x,y c=3,4"], None).unwrap();
    assert_eq!(shown_points(&space), ["1 x 3", "1 y 4", "2 x 3", "2 y 4"]);
}

#[test]
fn a_space_without_axes_has_one_point() {
    let space = Space::parse(&[] as &[&str], None).unwrap();
    assert_eq!(shown_points(&space), [""]);
}

#[test]
fn ten_million_points_take_no_memory() {
    let space = Space::parse(&["nat=1..10000", "k=1..1000"], None).unwrap();
    assert_eq!(space.points(), 10_000_000);
    assert_eq!(
        space.point(9_999_999),
        [AxisValue::Whole(10_000), AxisValue::Whole(1000)]
    );
    assert_eq!(
        space.point(1000),
        [AxisValue::Whole(2), AxisValue::Whole(1)]
    );
}

#[test]
fn samples_take_values_of_lists_and_intervals() {
    let sample = Sample::parse("sobol:4").unwrap();
    let space = Space::parse(&["a=x,y", "b=1us..3us", "c=1..1000:log"], Some(sample)).unwrap();
    let points = shown_points(&space);
    assert_eq!(points[0], "y 2us 31.6227766017");
    assert_eq!(points.len(), 4);
}

#[test]
fn impossible_spaces_are_refused() {
    let refused = |dimensions: &[&str], sample: Option<&str>| {
        let sample = sample.map(|text| Sample::parse(text).unwrap());
        Space::parse(dimensions, sample).unwrap_err().to_string()
    };
    let many = "but at most 1000000000 are evaluated; vary less, or take a sample: \
                --sample sobol:4096";
    assert_eq!(
        refused(&["a=1..1000000", "b=1..1000000"], None),
        format!("the sweep would have 1000000000000 points, {many}")
    );
    assert_eq!(
        refused(&["a=1..1000000000000", "b=1..1000000000000"], None),
        format!("the sweep would have more than 10^19 points, {many}")
    );
    assert_eq!(
        refused(&["a=1"], Some("lhs:2000000000")),
        format!("the sweep would have 2000000000 points, {many}")
    );
    assert_eq!(refused(&["a=1", "b=2 a=3"], None), "`a` is varied twice");
    assert_eq!(
        refused(&["a=1,2 b=1..3"], None),
        "`a` and `b` vary together, but one has 2 values and the other 3 values"
    );
    assert_eq!(
        refused(&["a=0.1..0.9"], None),
        "`a` is an interval: add a number of values, such as `0.1..0.9:5`, or take a sample: \
         --sample sobol:1024"
    );
    assert_eq!(
        refused(&[" "], None),
        "an axis is NAME=VALUES, such as nodes=1,2,4..64"
    );
    let many: Vec<String> = (0..22).map(|at| format!("a{at}=1,2")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(
        refused(&many, Some("sobol:8")),
        "a sobol sample can have at most 21 axes, found 22; use lhs:8"
    );
}

#[test]
fn intervals_are_searched_and_not_counted() {
    let space = Space::to_search(&["a=x,y", "b=1us..3us"]).unwrap();
    assert_eq!(space.points(), 0);
    assert_eq!(space.interval().map(|axis| axis.name.as_str()), Some("b"));
    let values = space.values(&[AxisPlace::At(1), AxisPlace::Share(0.25)]);
    assert_eq!(
        values.iter().map(AxisValue::to_string).collect::<Vec<_>>(),
        ["y", "1.5us"]
    );
    let counted = Space::to_search(&["a=x,y"]).unwrap();
    assert_eq!((counted.points(), counted.interval()), (2, None));
    let twice = Space::to_search(&["a=1..2", "b=0.1..0.9", "a=3"]);
    assert_eq!(twice, Err("`a` is varied twice".into()));
}
