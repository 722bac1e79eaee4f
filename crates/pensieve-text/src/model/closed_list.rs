//! The macro `names!`, for closed lists: enums whose values have a name that is stored, printed or typed.

/// Defines an enum whose variants have one name each, with conversions in both directions; serde has it as that name.
#[macro_export]
macro_rules! names {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$doc])* $variant),+ }

        impl $name {
            /// Every value, in the order of the definition.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Their names.
            pub const NAMES: [&'static str; [$($text),+].len()] = [$($text),+];

            /// Its name.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }

            /// The value of a name.
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($text => Some($name::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let name = <std::borrow::Cow<'_, str> as serde::Deserialize>::deserialize(deserializer)?;
                $name::from_name(&name).ok_or_else(|| serde::de::Error::unknown_variant(&name, &$name::NAMES))
            }
        }
    };
}
pub(crate) use names;
