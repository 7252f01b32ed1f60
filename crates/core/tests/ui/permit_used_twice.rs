use runward_core::plan::{Draft, Permit};

fn twice(one: Draft, other: Draft, permit: Permit) {
    let _ = one.seal(permit);
    let _ = other.seal(permit);
}

fn main() {}
