//! Finds doubts about a model that was made from several sizes: alternatives that these sizes don't
//! distinguish.

use super::points::{Points, cube, divisor};

/// How far above the largest recorded number of ranks to look for a number to propose.
const BEYOND: u32 = 32;

/// Returns the distances between neighbors in a grid with this many ranks: in different rows of a
/// 2D grid, for both orders of its sides, and in different rows and planes of a 3D grid. `None` if
/// there is only one row or plane.
fn sides(ranks: u32) -> [Option<u32>; 4] {
    let shorter = divisor(ranks, 2);
    let [depth, height, width] = cube(ranks).map(|it| u32::try_from(it).unwrap_or(u32::MAX));
    [
        (shorter > 1).then_some(shorter),
        (shorter > 1).then_some(ranks / shorter),
        (height > 1).then_some(width),
        (depth > 1).then_some(width * height),
    ]
}

/// Returns `true` if the model contains a partner at this distance.
fn has_distance(text: &str, distance: u32) -> bool {
    ["pid + ", "pid - "].iter().any(|sign| {
        let written = format!("{sign}{distance}");
        text.match_indices(&written).any(|(at, _)| {
            let behind = text[at + written.len()..].chars().next();
            !behind.is_some_and(|it| it.is_ascii_alphanumeric() || it == '.')
        })
    })
}

/// Lists the ambiguities in a model's text that its runs' sizes don't resolve.
pub(super) fn doubts(text: &str, has_partners: bool, points: &Points) -> Vec<String> {
    let mut sizes: Vec<u32> = points.runs().iter().map(|it| it.ranks).collect();
    sizes.dedup();
    let constant = (0..points.names.len()).filter(|it| points.is_constant(*it));
    let constant = constant.map(|it| {
        format!(
            "{} is {} in all recordings, so the model has no flag for it: nothing shows how costs \
             and messages depend on it; record another value, with fewer ranks if that takes long",
            points.names[it],
            points.parameter_text(it)
        )
    });
    let distances = distance(text, &sizes).or_else(|| two(has_partners, &sizes));
    distances.into_iter().chain(constant).collect()
}

/// Warns that runs with two ranks don't show how partners are chosen.
fn two(has_partners: bool, sizes: &[u32]) -> Option<String> {
    (has_partners && sizes.iter().all(|it| *it <= 2)).then(|| {
        "with two ranks, each rank has one partner, which may be the next rank on a ring, a \
         neighbor on a chain or grid, or the rank that differs in one bit: also record 4 and 8 \
         ranks, with a smaller problem if necessary"
            .to_owned()
    })
}

/// Warns about a distance in the model that equals a side of the grid at all sizes. Such recordings
/// don't show which of the two the program means.
fn distance(text: &str, sizes: &[u32]) -> Option<String> {
    let grids: Vec<[Option<u32>; 4]> = sizes.iter().map(|it| sides(*it)).collect();
    let side = (0..4).find_map(|at| {
        let mut grids = grids.iter().filter_map(|it| it[at]);
        let side = grids.next().filter(|it| *it > 1)?;
        let is_same = grids.all(|it| it == side);
        (is_same && has_distance(text, side)).then_some((at, side))
    });
    let (at, side) = side?;
    let most = *sizes.iter().max()?;
    let other =
        (most + 1..=most + BEYOND).find(|&ranks| sides(ranks)[at].is_some_and(|it| it != side));
    let other = other.map_or(String::new(), |ranks| format!(", such as {ranks} ranks"));
    Some(format!(
        "partners are {side} ranks apart, which may or may not be the side of a grid of ranks, \
         because that side is {side} in every recording: record a number of ranks for which it \
         differs{other}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_that_may_be_a_side_is_told() {
        let told = distance("pid - 2; pid + 1", &[4, 6, 8]).expect("both fit");
        assert!(told.contains("partners are 2 ranks apart,"), "{told}");
        assert!(
            told.ends_with("for which it differs, such as 9 ranks"),
            "{told}"
        );
        assert_eq!(distance("pid - 2", &[4, 8, 16]), None);
        assert_eq!(distance("pid - 1", &[4, 6, 8]), None);
        assert_eq!(distance("pid - 20; pid + 2.5", &[4, 6, 8]), None);
        assert_eq!(distance("pid + 2", &[2, 3, 5]), None);
        assert_eq!(distance("pid + 2", &[]), None);
    }
}
