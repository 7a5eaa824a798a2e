//! Creates errors about invalid machines.

/// Returns from the function with a formatted error.
macro_rules! refuse {
    ($($text:tt)*) => {
        return Err(prophet_text::Problem::new(format!($($text)*)))
    };
}

pub(crate) use refuse;
