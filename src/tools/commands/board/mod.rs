//! `cupbot board`: a page in the browser to play, analyse and understand games. A small local server provides
//! positions, moves and searches; the page itself knows no rules.

mod api;
mod app;
mod bots;
mod guard;
mod http;
mod input;
mod levels;
mod pages;
pub mod replay;
mod rules;
mod server;
mod sessions;
mod work;

use crate::engine::sys::os::return_large_blocks;
use crate::tools::contracts::entry::Entry;
use crate::tools::labs::registry;
use crate::tools::support::ctrl_c;
use crate::tools::support::units::integer;
use anyhow::{Context, Result};
use app::App;
use sessions::Sessions;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};

/// Default port, so that saved links keep working.
const DEFAULT_PORT: u16 = 6101;

/// Programs that open a page in the user's browser: on macOS, and on other desktops.
const OPENERS: &[&str] =
    if cfg!(target_os = "macos") { &["open"] } else { &["xdg-open", "wslview"] };

/// Play and analyse on a board in the browser
///
/// Serves one page for every game on this machine alone, prints its address and opens the browser. Ctrl-C ends it.
#[derive(clap::Args)]
pub struct Args {
    /// Which game to show first
    #[arg(default_value = registry::main_game().rules.name, value_parser = registry::parser())]
    game: &'static Entry,
    /// The port to listen on; 0: any free one
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PORT, value_parser = integer::<u16>(0..=65_535))]
    port: u16,
    /// Also accept requests for this host name, e.g. behind a proxy or tunnel (default: localhost only; repeatable)
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Offer a program that speaks the contest's protocol as an opponent on the page of the game (repeatable)
    ///
    /// The program has the contest's time. With plain:COMMAND it is sent only the contest's lines. A name may also be
    /// given as in `match`: name=NAME COMMAND.
    #[arg(long = "player", value_name = "NAME=COMMAND")]
    players: Vec<String>,
    /// Only print the address, don't open the browser
    #[arg(long)]
    no_open: bool,
}

/// Serves the page until the program ends.
pub fn run(args: Args) -> Result<ExitCode> {
    args.game.require(&args.game.tools.board, "board in the browser")?;
    let listeners = listen(args.port).with_context(|| {
        format!("port {} can't be used; try another one by --port N, or --port 0", args.port)
    })?;
    let port = listeners[0].local_addr().context("the address of the page")?.port();
    let address = format!("http://127.0.0.1:{port}/{}", args.game.rules.name);
    let bots = bots::Bots::new(args.game, &args.players)?;
    let games = ": the browser keeps the games; the same command shows them again";
    ctrl_c::end_with(games.to_string());
    return_large_blocks();
    // Programs that read the first line may request the page now.
    say!("{address}")?;
    tell!("Press Ctrl-C to stop.");
    if !args.no_open {
        // A browser that starts may still show nothing, so the advice is always given.
        let _ = open_browser(&address);
        tell!("If no browser opens, open the address above in a browser on this machine.");
    }
    server::serve(
        listeners,
        App { game: args.game, hosts: args.host, bots, sessions: Sessions::new() },
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Listens on both loopback addresses, since a browser may choose either for `localhost`. Without IPv6 there is only
/// one.
fn listen(port: u16) -> io::Result<Vec<TcpListener>> {
    let first = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let second = TcpListener::bind((Ipv6Addr::LOCALHOST, first.local_addr()?.port()));
    match second {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && port > 0 => Err(error),
        second => Ok([Some(first), second.ok()].into_iter().flatten().collect()),
    }
}

/// Opens a page in the user's browser, which is not ended by Ctrl-C.
fn open_browser(address: &str) -> io::Result<()> {
    let spawn = |opener: &&str| {
        let mut command = Command::new(opener);
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.process_group(0).spawn().map(drop)
    };
    let mut results = OPENERS.iter().map(spawn);
    results.find(Result::is_ok).unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()))
}
