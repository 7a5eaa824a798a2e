//! Creates errors about invalid machines.

/// Returns an error with a formatted message.
macro_rules! refuse {
    ($($text:tt)*) => {
        return Err(prophet_text::Problem::new(format!($($text)*)))
    };
}

pub(crate) use refuse;
