//! Pensieve.
pub mod model;
