//! The report of a match: the result of the finished games, and the SPRT.

use super::summary::{Summary, Tally};
use super::teamwork::Teamwork;
use crate::tools::arena::match_file::GameRecord;
use crate::tools::contracts::entry::{Comparison, Entry};
use crate::tools::support::stats::{EloScale, Sprt, Verdict};
use anyhow::{ensure, Result};
use std::process::ExitCode;

/// Exit status if the SPRT rejects.
const EXIT_REJECTED: u8 = 1;

/// Options of the sequential probability ratio test (SPRT).
#[derive(clap::Args)]
pub struct SprtOptions {
    /// SPRT: is A stronger than B by ELO0 or by ELO1? Ends the match when decided
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"])]
    sprt: Option<Vec<f64>>,
    /// SPRT: type I error rate
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// SPRT: type II error rate
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// SPRT: ELO0 and ELO1 are normalised elo, which counts standard deviations of a game
    #[arg(long, requires = "sprt")]
    normalized: bool,
}

impl SprtOptions {
    /// Whether a test is requested.
    pub fn is_asked_for(&self) -> bool {
        self.sprt.is_some()
    }

    /// Returns the requested test.
    pub fn sprt(&self) -> Result<Option<Sprt>> {
        let &[elo0, elo1] = self.sprt.as_deref().unwrap_or_default() else { return Ok(None) };
        ensure!(
            elo0 < elo1 && elo0.is_finite() && elo1.is_finite(),
            "--sprt: expected ELO0 < ELO1"
        );
        let scale = if self.normalized { EloScale::Normalized } else { EloScale::Logistic };
        let limit = scale.max_elo();
        ensure!(
            elo0 >= -limit && elo1 <= limit,
            "--sprt: expected ELO0 and ELO1 from -{limit} to {limit}"
        );
        let (alpha, beta) = (self.alpha, self.beta);
        for (name, error) in [("--alpha", alpha), ("--beta", beta)] {
            let is_valid = error > 0.0 && error < 0.5;
            ensure!(is_valid, "{name}: expected a probability above 0 and below 0.5");
        }
        Ok(Some(Sprt { elo0, elo1, alpha, beta, scale }))
    }
}

/// The result of the finished games of a match.
pub struct Report(Box<dyn Summary>);

impl Report {
    /// Creates the report of a match of `planned` games, none of them played yet.
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
                ensure!(
                    sprt.is_none(),
                    "--sprt can't be used here: {} matches measure the mean score, not strength",
                    game.rules.title
                );
                Box::new(Teamwork::new(game, names, planned))
            }
        }))
    }

    /// Returns the summary to which games are added.
    pub fn summary(&mut self) -> &mut dyn Summary {
        self.0.as_mut()
    }

    /// Prints the result as text or JSON. Returns the exit status: 1 if the SPRT rejects.
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

/// Creates the report of these games, which are in schedule order.
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
