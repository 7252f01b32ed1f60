//! The builder: front matter, body and arguments become a command. May not look at the host.
//!
//! The functions of [`args`](build_args_from_frontmatter) and [`command`](build_command) are the small pure core:
//! every key a flag, the body the first positional. What a runner does before and around them (keys that are its own,
//! subcommands, blank bodies, flags that swallow words) is [`prepare()`]; it calls them. Read first: [`BuiltCommand`].

mod args;
mod command;
mod prepare;
mod refuse;

pub use args::{
    apply_positional_args, build_args_from_frontmatter, extract_env_vars, extract_positional_mappings,
};
/// What the functions of the builder were promised to give.
pub use command::BuiltCommand as CommandSpec;
pub use command::{BuiltCommand, CommandDefaults, Ingredients, build_command, build_command_base};
pub use prepare::{Placing, Prepared, Prompt, prepare};
pub use refuse::check;

#[cfg(test)]
mod tests;
