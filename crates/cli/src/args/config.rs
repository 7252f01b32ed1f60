//! The arguments of `config`.

use super::FormatArgs;
use clap::{Args, Subcommand};

pub(super) const EXAMPLES: &str = "Examples:
  runward config
  runward config show --origin
  runward config get limits.timeout_ms
  runward config path
  runward config edit
  runward --config ./runward.toml config show

Without a verb it is `config show`.";

/// What to do with the configuration.
#[derive(Debug, Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<ConfigVerb>,
    #[command(flatten)]
    pub(crate) show: ConfigShowArgs,
}

/// How to print what is in force.
#[derive(Debug, Args)]
pub(crate) struct ConfigShowArgs {
    /// Show where each value came from
    #[arg(long)]
    pub(crate) origin: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// The verbs of `config`.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigVerb {
    /// Print every value in force
    #[command(after_help = "Examples:\n  runward config show\n  runward config show --origin")]
    Show(ConfigShowArgs),
    /// Print one value
    #[command(
        after_help = "Examples:\n  runward config get limits.timeout_ms\n  runward config get policy.presets --origin"
    )]
    Get {
        /// The key, as `config show` prints it
        #[arg(value_name = "KEY")]
        key: String,
        #[command(flatten)]
        how: ConfigShowArgs,
    },
    /// Print where your own configuration is, or would be read from
    #[command(after_help = "Examples:\n  runward config path\n  cat \"$(runward config path)\"")]
    Path(FormatArgs),
    /// Open your own configuration in your editor, and check it
    #[command(
        after_help = "Examples:\n  runward config edit\n  EDITOR='code --wait' runward config edit\n\nThe editor is VISUAL or EDITOR, and `vi` without them. Nothing runs with a broken file, so\nit is checked when the editor ends."
    )]
    Edit,
}

impl ConfigArgs {
    /// How the answer is printed.
    pub(crate) fn format(&self) -> Option<&FormatArgs> {
        match &self.verb {
            None => Some(&self.show.format),
            Some(ConfigVerb::Show(show) | ConfigVerb::Get { how: show, .. }) => Some(&show.format),
            Some(ConfigVerb::Path(format)) => Some(format),
            Some(ConfigVerb::Edit) => None,
        }
    }
}
