//! Doubts about a learned model: alternatives that the recorded sizes cannot distinguish.

/// Largest size that is proposed beyond the largest one that was recorded.
const BEYOND: u32 = 32;

/// The largest divisor of a number whose power of that exponent is no larger.
fn divisor(number: u32, exponent: u32) -> u32 {
    let divisors = (1..=number).take_while(|it| it.pow(exponent) <= number);
    let last = divisors.filter(|it| number.is_multiple_of(*it)).last();
    last.unwrap_or(1)
}

/// Distances between neighbors in other rows of a grid of two dimensions with that many ranks, by
/// either order of its sides, and in other rows and planes of a grid of three dimensions; nothing
/// where it has one row or plane.
fn sides(ranks: u32) -> [Option<u32>; 4] {
    let shorter = divisor(ranks, 2);
    let mut cube = [divisor(ranks, 3), 0, 0];
    cube[1] = divisor(ranks / cube[0], 2);
    cube[2] = ranks / cube[0] / cube[1];
    cube.sort_unstable();
    let [width, height, depth] = cube;
    [
        (shorter > 1).then_some(shorter),
        (shorter > 1).then_some(ranks / shorter),
        (height > 1).then_some(width),
        (depth > 1).then_some(width * height),
    ]
}

/// True if a partner in the model is at that distance.
fn has_distance(text: &str, distance: u32) -> bool {
    ["pid + ", "pid - "].iter().any(|sign| {
        let written = format!("{sign}{distance}");
        text.match_indices(&written).any(|(at, _)| {
            let behind = text[at + written.len()..].chars().next();
            !behind.is_some_and(|it| it.is_ascii_alphanumeric() || it == '.')
        })
    })
}

/// Tells of a distance in the model that is also the side of the grid at all sizes, so that no
/// recording shows which of them the program means.
pub(super) fn doubt(text: &str, sizes: &[u32]) -> Option<String> {
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
    let other = other.map_or(String::new(), |ranks| format!(", such as {ranks}"));
    Some(format!(
        "partners are at the distance {side}, which may be a side of a grid of ranks, since all \
         sizes that were recorded have that side: record a size whose grid has others{other}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_that_may_be_a_side_is_told() {
        let told = doubt("pid - 2; pid + 1", &[4, 6, 8]).expect("both fit");
        assert!(told.contains("the distance 2,"), "{told}");
        assert!(
            told.ends_with("record a size whose grid has others, such as 9"),
            "{told}"
        );
        assert_eq!(doubt("pid - 2", &[4, 8, 16]), None);
        assert_eq!(doubt("pid - 1", &[4, 6, 8]), None);
        assert_eq!(doubt("pid - 20; pid + 2.5", &[4, 6, 8]), None);
        assert_eq!(doubt("pid + 2", &[2, 3, 5]), None);
        assert_eq!(doubt("pid + 2", &[]), None);
    }
}
