//! The report of a match: its result, as far as it is played, and what the SPRT says.

use super::summary::{Summary, Tally};
use super::teamwork::Teamwork;
use crate::tools::arena::match_file::GameRecord;
use crate::tools::contracts::entry::{Comparison, Entry};
use crate::tools::support::stats::{Sprt, Verdict};
use anyhow::{ensure, Result};
use std::process::ExitCode;

/// The exit status when the SPRT rejects.
const EXIT_REJECTED: u8 = 1;

/// The sequential test of a match.
#[derive(clap::Args)]
pub struct SprtOptions {
    /// Test whether A is stronger than B by ELO0 or by ELO1 (SPRT); a match ends when that is decided
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// SPRT: type I error rate
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// SPRT: type II error rate
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
}

impl SprtOptions {
    /// Is a test asked for?
    pub fn is_asked_for(&self) -> bool {
        self.sprt.is_some()
    }

    /// The test that is asked for.
    pub fn sprt(&self) -> Result<Option<Sprt>> {
        let &[elo0, elo1] = self.sprt.as_deref().unwrap_or_default() else { return Ok(None) };
        ensure!(
            elo0 < elo1 && elo0.is_finite() && elo1.is_finite(),
            "--sprt: expected ELO0 < ELO1"
        );
        let (alpha, beta) = (self.alpha, self.beta);
        for (name, error) in [("--alpha", alpha), ("--beta", beta)] {
            let is_valid = error > 0.0 && error < 0.5;
            ensure!(is_valid, "{name}: expected a probability above 0 and below 0.5");
        }
        Ok(Some(Sprt { elo0, elo1, alpha, beta }))
    }
}

/// The result of a match, as far as it is played.
pub struct Report(Box<dyn Summary>);

impl Report {
    /// No game yet, of so many.
    pub fn new(
        game: &'static Entry,
        names: [String; 2],
        planned: usize,
        sprt: Option<Sprt>,
        jobs: usize,
    ) -> Result<Report> {
        Ok(Report(match game.comparison {
            Comparison::Elo => Box::new(Tally::new(game, names, planned, sprt, jobs)),
            Comparison::MeanScore => {
                ensure!(sprt.is_none(), "--sprt: a match of {} compares no strength", game.title);
                Box::new(Teamwork::new(game, names, planned))
            }
        }))
    }

    /// Where the games are counted.
    pub fn summary(&mut self) -> &mut dyn Summary {
        self.0.as_mut()
    }

    /// Prints it, for people or for programs. The exit status says whether the SPRT rejects.
    pub fn print(&self, is_json: bool) -> Result<ExitCode> {
        if is_json {
            say!("{}", serde_json::to_string_pretty(&self.0.json())?)?;
        } else {
            show!("{}", self.0.text())?;
        }
        let is_rejected = self.0.verdict() == Some(Verdict::Rejected);
        Ok(if is_rejected { ExitCode::from(EXIT_REJECTED) } else { ExitCode::SUCCESS })
    }
}

/// The result of these games, in the order of their numbers.
pub fn report_of(
    game: &'static Entry,
    names: [String; 2],
    planned: usize,
    sprt: &SprtOptions,
    games: &[GameRecord],
) -> Result<Report> {
    let mut report = Report::new(game, names, planned, sprt.sprt()?, 1)?;
    games.iter().for_each(|game| report.0.add(game));
    Ok(report)
}
