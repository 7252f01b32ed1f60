//! How much the road costs, always as a ratio to the least that could be done, measured in the same run.
//!
//! `cargo xtask bench [spawn|capture|kill|policy|journal|sandbox|scale|curves] [--json] [--rounds N]`. Baseline and product take turns, so that a
//! busy machine hits both; the ratio of their medians is compared with the target. Linux only: the least that could
//! be done is written in its system calls.

#[cfg(target_os = "linux")]
mod alive;
#[cfg(target_os = "linux")]
mod capture;
#[cfg(target_os = "linux")]
mod curves;
#[cfg(target_os = "linux")]
mod journal;
#[cfg(target_os = "linux")]
mod kill;
#[cfg(target_os = "linux")]
mod large;
#[cfg(target_os = "linux")]
mod passing;
#[cfg(target_os = "linux")]
mod policy;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod scale;
#[cfg(target_os = "linux")]
mod spawn;

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("bench: the road is measured on Linux only");
    std::process::exit(2);
}

#[cfg(target_os = "linux")]
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(("alive", rest)) = words.split_first().map(|(word, rest)| (word.as_str(), rest)) {
        return alive::main(rest);
    }
    testkit::measure::main(&[
        ("spawn", spawn::rows),
        ("capture", capture::rows),
        ("kill", kill::rows),
        ("policy", policy::rows),
        ("journal", journal::rows),
        ("sandbox", sandbox::rows),
        ("scale", scale::rows),
        ("curves", curves::rows),
    ]);
}
