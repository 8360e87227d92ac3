//! Drives the built binary over real pipes, as judges, programs and people do. A build without all features
//! is tested by what it has.

#![cfg_attr(not(feature = "full"), allow(dead_code))]

mod common;

mod analyse;
mod bench;
mod by_hand;
mod dialogue;
mod features;

#[cfg(feature = "full")]
mod board;
#[cfg(feature = "full")]
mod board_browser;
#[cfg(feature = "full")]
mod colour;
#[cfg(feature = "full")]
mod commands;
#[cfg(feature = "full")]
mod help;
#[cfg(feature = "full")]
mod interrupt;
#[cfg(feature = "full")]
mod layout;
#[cfg(feature = "full")]
mod matches;
#[cfg(feature = "full")]
mod reading;
#[cfg(feature = "full")]
mod readme;
#[cfg(feature = "full")]
mod replay;
#[cfg(feature = "full")]
mod safety;
#[cfg(feature = "full")]
mod selfplay;
#[cfg(feature = "full")]
mod shards;
#[cfg(feature = "full")]
mod submit;
#[cfg(feature = "full")]
mod tune;
#[cfg(feature = "full")]
mod uci;
#[cfg(feature = "full")]
mod zuniq;
