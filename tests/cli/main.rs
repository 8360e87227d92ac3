//! Drives the built binary over real pipes, as judges, programs and people do.

mod common;

mod analyse;
mod bench;
mod board;
mod board_browser;
mod by_hand;
mod colour;
mod commands;
mod dialogue;
mod first_bot;
mod help;
mod interrupt;
mod layout;
mod matches;
mod reading;
mod readme;
mod replay;
mod safety;
mod selfplay;
mod shards;
mod submit;
mod tune;
mod uci;
mod zuniq;
