use runward_core::plan::PlanDigest;

fn forge() -> PlanDigest {
    PlanDigest([0; 32])
}

fn main() {}
