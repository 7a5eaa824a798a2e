//! Computes the Sobol sequence.
//!
//! The direction numbers come from S. Joe and F. Y. Kuo (Constructing Sobol sequences with better
//! two-dimensional projections, SIAM J. Sci. Comput. 30(5), 2008), from `new-joe-kuo-6.21201`.

pub(super) const DIMENSIONS: usize = 1 + POLYNOMIALS.len();

/// Number of bits in a coordinate.
const BITS: u32 = 32;

/// A primitive polynomial: its degree, its inner coefficients as a bit set, and the first direction
/// numbers.
type Polynomial = (u32, u32, &'static [u32]);

const POLYNOMIALS: [Polynomial; 20] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
];

/// Returns a point's coordinate in a dimension, as a share from 0 to just below 1.
pub(super) fn share(index: u64, dimension: usize) -> f64 {
    // In Gray code, each point differs from the previous one in one direction.
    let gray = index ^ (index >> 1);
    let directions = directions(dimension);
    let bits = (0..BITS).filter(|bit| gray >> bit & 1 == 1);
    let number = bits.fold(0, |number, bit| number ^ directions[bit as usize]);
    f64::from(number) / f64::from(1_u32 << 31) / 2.0
}

/// Returns the direction numbers of a dimension. The first bit of each is the highest.
fn directions(dimension: usize) -> [u32; BITS as usize] {
    let mut directions = [0; BITS as usize];
    let polynomial = dimension.checked_sub(1).and_then(|at| POLYNOMIALS.get(at));
    let Some((degree, coefficients, first)) = polynomial else {
        for (direction, bit) in directions.iter_mut().zip((0..BITS).rev()) {
            *direction = 1 << bit;
        }
        return directions;
    };
    let degree = *degree as usize;
    for ((direction, number), bit) in directions.iter_mut().zip(*first).zip((0..BITS).rev()) {
        *direction = number << bit;
    }
    for at in degree..directions.len() {
        let mut direction = directions[at - degree] ^ (directions[at - degree] >> degree);
        for inner in 1..degree {
            if coefficients >> (degree - 1 - inner) & 1 == 1 {
                direction ^= directions[at - inner];
            }
        }
        directions[at] = direction;
    }
    directions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_points_are_the_published_ones() {
        let point = |index| -> Vec<f64> { (0..4).map(|at| share(index, at)).collect() };
        assert_eq!(point(0), [0.0, 0.0, 0.0, 0.0]);
        assert_eq!(point(1), [0.5, 0.5, 0.5, 0.5]);
        assert_eq!(point(2), [0.75, 0.25, 0.25, 0.25]);
        assert_eq!(point(3), [0.25, 0.75, 0.75, 0.75]);
        assert_eq!(point(4), [0.375, 0.375, 0.625, 0.875]);
    }

    #[test]
    fn each_dimension_fills_all_its_parts() {
        for dimension in 0..DIMENSIONS {
            let mut parts: Vec<u64> = (0..256)
                .map(|index| crate::space::axis::place_at(share(index, dimension), 256))
                .collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..256).collect::<Vec<_>>(), "dimension {dimension}");
        }
    }

    #[test]
    fn polynomials_are_primitive() {
        // The powers of x modulo a primitive polynomial of degree d take 2^d - 1 values.
        for (degree, inner, first) in POLYNOMIALS {
            let polynomial = 1 << degree | inner << 1 | 1;
            let mut power = 1_u32;
            let mut period = 0;
            loop {
                power <<= 1;
                if power >> degree & 1 == 1 {
                    power ^= polynomial;
                }
                period += 1;
                if power == 1 {
                    break;
                }
            }
            assert_eq!(period, (1 << degree) - 1, "{degree} {inner}");
            assert_eq!(first.len(), degree as usize);
            let fits = |(at, number): (u32, &u32)| number % 2 == 1 && *number < 2 << at;
            assert!((0..).zip(first).all(fits));
        }
    }
}
