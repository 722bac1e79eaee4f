//! probe
pub(super) struct Names;
impl Names {
    pub(super) fn element(&self, _n: u32) -> Option<&str> { let s: &'static str = Box::leak(format!("e{_n}").into_boxed_str()); Some(s) }
    pub(super) fn attribute(&self, _e: u32, n: u32) -> Option<&str> { let s: &'static str = Box::leak(format!("a{n}").into_boxed_str()); Some(s) }
}
