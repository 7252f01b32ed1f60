//! What well-known agents need to run without a person: flags, subcommands, and how they take a prompt. May not know the file.
