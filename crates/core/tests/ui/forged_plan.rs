use runward_core::plan::{Draft, ExecPlan, Grantor};

fn forge(draft: Draft) -> ExecPlan {
    ExecPlan { draft: Box::new(draft), permitted_by: Grantor::Rule("my own".to_owned()) }
}

fn main() {}
