//! Enums whose values have names.

/// Declares an enum, each variant with its name: there are the list `ALL` of all variants in their
/// order, the name of each, and the value with a name.
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
            /// All of them, each at the index that is its number.
            $vis const ALL: [Self; [$($text),*].len()] = [$(Self::$variant),*];

            /// Name in the tool's languages, files and flags.
            $vis const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// Finds the value with a name.
            $vis fn of_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|it| it.name() == name)
            }
        }
    };
}
