//! Self-play games on disk.

pub mod command;
pub mod file;
pub mod record;

#[cfg(test)]
pub mod properties;
#[cfg(test)]
mod tests;
