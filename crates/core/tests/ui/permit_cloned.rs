use runward_core::plan::Permit;

fn copy(permit: &Permit) -> Permit {
    <Permit as Clone>::clone(permit)
}

fn main() {}
