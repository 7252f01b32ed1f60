//! Presets that are typed: the operator's own word, so that a client's entry says everything.

use clap::Args;
use clap::builder::PossibleValuesParser;
use runward::core::policy::PRESETS;

/// Presets that allow, as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub(crate) struct PresetArgs {
    /// Let commands run that this preset allows; may be repeated
    #[arg(long = "preset", value_name = "NAME", value_parser = preset_names())]
    pub(crate) presets: Vec<String>,
}

/// The names of presets.
pub(crate) fn preset_names() -> PossibleValuesParser {
    PossibleValuesParser::new(PRESETS.iter().map(|preset| preset.name))
}
