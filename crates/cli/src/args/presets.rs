//! The option `--preset`: the operator's own choice, so that a client's entry needs no configuration file.

use clap::Args;
use clap::builder::PossibleValuesParser;
use runward::core::policy::PRESETS;

/// Presets that allow, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub(crate) struct PresetArgs {
    /// Allow the commands of this preset; may be repeated, or several with commas between
    #[arg(long = "preset", value_name = "NAME", value_delimiter = ',', value_parser = preset_names())]
    pub(crate) presets: Vec<String>,
}

/// The names of presets.
pub(crate) fn preset_names() -> PossibleValuesParser {
    PossibleValuesParser::new(PRESETS.iter().map(|preset| preset.name))
}
