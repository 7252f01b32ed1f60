# Short names for the usual commands. Recipes call `cargo` and `cargo xtask`, nothing else.

# List the recipes.
default:
    @just --list

# Every check, as CI runs it.
test *flags:
    cargo xtask test {{flags}}

# Every check but the slow ones that rarely break.
fast:
    cargo xtask test --fast

# Windows and macOS, as far as Debian can check them.
cross *platform:
    cargo xtask cross {{platform}}

# The house rules.
tidy:
    cargo xtask tidy

# Write the generated pages.
docs:
    cargo xtask docs

# What it costs, as ratios to the least that could be done.
bench *flags:
    cargo xtask bench {{flags}}

# Faults, load and bad input, and what came of them.
chaos *flags:
    cargo xtask chaos {{flags}}

# Install what the checks need.
install:
    cargo xtask install

# Format everything.
fmt:
    cargo fmt --all

# The lints, as CI runs them.
lint:
    cargo clippy --workspace --all-targets --locked -- -D warnings

# The program, as it is shipped.
dist:
    cargo build --profile dist --locked --bins
