//! The lamp.

use std::time::Duration;

/// A lamp that can be lit.
#[derive(Debug, Clone)]
pub struct Lamp {
    oil: u32,
    is_lit: bool,
}

impl Lamp {
    /// A lamp with this much oil.
    pub fn new(oil: u32) -> Lamp {
        Lamp { oil, is_lit: false }
    }

    /// Burns for a time; false if it goes out before.
    pub fn burn(&mut self, time: Duration) -> bool {
        let hours = time.as_secs() / 3600;
        for _ in 0..hours {
            match self.oil.checked_sub(1) {
                Some(rest) => self.oil = rest,
                None => {
                    self.is_lit = false;
                    return false;
                }
            }
        }
        true
    }
}

fn main() {
    let mut lamp = Lamp::new(12);
    println!("{}", lamp.burn(Duration::from_secs(36_000)));
}
