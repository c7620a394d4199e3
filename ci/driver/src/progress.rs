//! What is seen while guests run and proofs are made: bars on a terminal, else a line for each.

use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use vambrace_harness::event::Status;

use crate::guest::{Progress, Report};
use crate::plan::Job;
use crate::proofs::Attempt;

/// The display of a run.
pub struct Display {
    bars: MultiProgress,
    total: ProgressBar,
    workers: Vec<ProgressBar>,
    plain: bool,
    began: Instant,
}

impl Display {
    /// A display for so many jobs, so many of them at once.
    pub fn new(jobs: usize, workers: usize) -> Display {
        let target = ProgressDrawTarget::stderr();
        let plain = target.is_hidden();
        let bars = MultiProgress::with_draw_target(target);
        let total = bars.add(ProgressBar::new(jobs as u64));
        total.set_style(style("{bar:40.green} {pos}/{len} guests  {elapsed}  {msg:.red}"));
        let spinner = || {
            let bar = bars.add(ProgressBar::new_spinner());
            bar.set_style(style("  {spinner} {wide_msg}"));
            bar
        };
        let workers = (0..workers).map(|_| spinner()).collect();
        if !plain {
            total.enable_steady_tick(Duration::from_millis(200));
        }
        Display { bars, total, workers, plain, began: Instant::now() }
    }

    /// A worker begins a job.
    pub fn begin(&self, worker: usize, job: &Job) {
        self.workers[worker].set_message(format!("{} {}", job.place, job.name));
    }

    /// A guest has said something.
    pub fn progress(&self, worker: usize, job: &Job, progress: &Progress<'_>) {
        match progress {
            Progress::Running { subject, check } => {
                self.workers[worker].set_message(format!("{} {subject} {check}", job.place));
                self.workers[worker].tick();
            }
            Progress::Done(result) => {
                if let Some(failure) = &result.failure {
                    self.say(&format!("FAIL {} {} {}: {}", job.place, failure.subject, failure.check, failure.what));
                }
            }
        }
    }

    /// A job is done.
    pub fn end(&self, worker: usize, job: &Job, report: &Report) {
        self.total.inc(1);
        self.workers[worker].set_message("");
        if self.plain {
            let failed = report.results.iter().filter(|result| result.status == Status::Fail).count();
            let verdict = match (report.is_good(), failed) {
                (true, _) => "ok".to_owned(),
                (false, 0) => "FAILED".to_owned(),
                (false, failed) => format!("FAILED {failed}"),
            };
            let cases: u64 = report.results.iter().map(|result| result.cases).sum();
            let milliseconds: u64 = report.results.iter().map(|result| result.milliseconds).sum();
            let (done, of) = (self.total.position(), self.total.length().unwrap_or(0));
            let seconds = self.began.elapsed().as_secs();
            eprintln!(
                "[{done:>3}/{of} {seconds:>3} s] {} {}: {} checks, {cases} cases in {:.1} s: {verdict}",
                job.place,
                job.name,
                job.cells(),
                milliseconds as f64 / 1000.0
            );
        }
    }

    fn say(&self, line: &str) {
        if self.plain {
            eprintln!("{line}");
        } else {
            // The terminal may be gone; the line comes again in the report.
            let _ = self.bars.println(line);
            self.total.set_message("something failed");
        }
    }

    /// Takes the bars away.
    pub fn finish(&self) {
        self.workers.iter().for_each(ProgressBar::finish_and_clear);
        self.total.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The display of proofs.
pub struct Proofs {
    bar: ProgressBar,
}

impl Proofs {
    /// A display for so many.
    pub fn new(proofs: usize) -> Proofs {
        let bar = ProgressBar::new(proofs as u64);
        bar.set_style(style("{bar:40.green} {pos}/{len} proofs  {elapsed}  {msg}"));
        Proofs { bar }
    }

    /// One is done.
    pub fn end(&self, attempt: &Attempt) {
        let kernel = format!("{} {}", attempt.kernel.architecture, attempt.kernel.name);
        self.bar.inc(1);
        if self.bar.is_hidden() {
            let (done, of) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let told = attempt
                .result
                .as_ref()
                .map_or("FAILED".to_owned(), |it| format!("{} in {:.1} s", it.standing, it.seconds));
            eprintln!("[{done:>3}/{of} proofs] {kernel}: {told}");
        }
        self.bar.set_message(kernel);
    }
}

impl Drop for Proofs {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
