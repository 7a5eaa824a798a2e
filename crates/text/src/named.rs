//! Declares enums with named values.

/// Declares an enum with a name for each variant. It gets a list of all variants (`ALL`), and
/// functions that return a variant's name (`name`) and find a variant by name (`of_name`).
///
/// ```
/// prophet_text::named_enum! {
///     /// Direction of a message.
///     #[derive(Debug, Clone, Copy, PartialEq)]
///     pub enum Direction {
///         /// Away.
///         Out = "out",
///         /// Here.
///         In = "in",
///     }
/// }
/// assert_eq!(Direction::ALL.map(Direction::name), ["out", "in"]);
/// assert_eq!(Direction::of_name("in"), Some(Direction::In));
/// ```
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }
    ) => {
        $(#[$meta])*
        $vis enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// All variants, in order.
            $vis const ALL: [Self; [$($text),*].len()] = [$(Self::$variant),*];

            /// Returns the name in Prophet's languages, files and flags.
            $vis const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// Returns the variant with this name; `None` if there is none.
            $vis fn of_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|it| it.name() == name)
            }
        }
    };
}
