//! Tests that colors can be told apart, including with color blindness.

use super::STYLES;

const ACTIVITIES: [&str; 5] = ["processing", "sending", "receiving", "waiting", "remaining"];

/// How linear colors look to people who lack one type of cone: Machado, Oliveira and Fernandes, A
/// Physiologically-based Model for Simulation of Color Vision Deficiency (2009), severity 1.
const EYES: [[[f64; 3]; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
    [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ],
];

/// Returns a color in the light and in the dark scheme, in linear light.
fn schemes(name: &str) -> [[f64; 3]; 2] {
    let before = format!("--{name}: #");
    let mut places = STYLES[0].split(&before).skip(1);
    let mut next = || {
        let digits = places.next().expect("both schemes have the color");
        [0, 2, 4].map(|at| {
            let byte = u8::from_str_radix(&digits[at..at + 2], 16).expect("six digits");
            let part = f64::from(byte) / 255.0;
            if part <= 0.040_45 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        })
    };
    [next(), next()]
}

fn dot(row: [f64; 3], color: [f64; 3]) -> f64 {
    row.iter().zip(color).map(|(a, b)| a * b).sum()
}

fn luminance(color: [f64; 3]) -> f64 {
    dot([0.2126, 0.7152, 0.0722], color)
}

/// Converts to CIELAB, in which a difference of 2 is barely visible.
fn lab(color: [f64; 3]) -> [f64; 3] {
    let curve = |part: f64| {
        if part > 0.008_856 {
            part.cbrt()
        } else {
            7.787 * part + 16.0 / 116.0
        }
    };
    let x = curve(dot([0.4124, 0.3576, 0.1805], color) / 0.9505);
    let y = curve(luminance(color));
    let z = curve(dot([0.0193, 0.1192, 0.9505], color) / 1.089);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[test]
fn all_eyes_tell_the_states_apart() {
    for scheme in [0, 1] {
        for eye in EYES {
            let seen = |name: &str| {
                let color = schemes(name)[scheme];
                lab(eye.map(|row| dot(row, color).clamp(0.0, 1.0)))
            };
            for (place, one) in ACTIVITIES.iter().enumerate() {
                for other in &ACTIVITIES[..place] {
                    let (a, b) = (seen(one), seen(other));
                    let apart = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
                    assert!(apart.sqrt() > 20.0, "{one} and {other}: {}", apart.sqrt());
                }
            }
        }
    }
}

#[test]
fn states_stand_out_from_the_ground() {
    for name in ACTIVITIES {
        for scheme in [0, 1] {
            let of = |name| luminance(schemes(name)[scheme]) + 0.05;
            let (color, ground) = (of(name), of("background"));
            let contrast = color.max(ground) / color.min(ground);
            assert!(contrast >= 3.0, "{name}: {contrast}");
        }
    }
}
