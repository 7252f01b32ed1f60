//! How much the road costs, always as a ratio to the least that could be done, measured in the same run.
//!
//! `cargo xtask bench [spawn|capture|kill] [--json] [--rounds N]`. Baseline and product take turns, so that a
//! busy machine hits both; the median of the turns' ratios is compared with the target. Linux only: the least that could
//! be done is written in its system calls.

#[cfg(target_os = "linux")]
mod capture;
#[cfg(target_os = "linux")]
mod kill;
#[cfg(target_os = "linux")]
mod measure;
#[cfg(target_os = "linux")]
mod spawn;

#[cfg(target_os = "linux")]
use measure::{Plan, Row};

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("bench: the road is measured on Linux only");
    std::process::exit(2);
}

#[cfg(target_os = "linux")]
fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let plan = match Plan::parse(&args) {
        Ok(plan) => plan,
        Err(sentence) => {
            eprintln!("bench: {sentence}");
            std::process::exit(2);
        }
    };
    let mut rows: Vec<Row> = Vec::new();
    if plan.wants("spawn") {
        rows.extend(spawn::rows(&plan));
    }
    if plan.wants("capture") {
        rows.extend(capture::rows(&plan));
    }
    if plan.wants("kill") {
        rows.extend(kill::rows(&plan));
    }
    measure::print(&rows, &plan);
    if rows.iter().any(|row| !row.passes()) {
        std::process::exit(1);
    }
}
