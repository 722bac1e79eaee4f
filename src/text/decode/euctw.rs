//! EUC-TW.

pub(super) fn char(_code: &[u8]) -> Option<char> {
    None
}
