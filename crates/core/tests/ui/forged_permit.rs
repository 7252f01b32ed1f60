use runward_core::plan::{Draft, Grantor, Permit};

fn forge(draft: &Draft) -> Permit {
    Permit { draft: draft.digest(), grantor: Grantor::Rule("my own".to_owned()) }
}

fn main() {}
