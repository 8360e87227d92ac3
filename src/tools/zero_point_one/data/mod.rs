//! Self-play games on disk.

pub mod command;
pub mod file;
pub mod record;

#[cfg(test)]
mod tests;
