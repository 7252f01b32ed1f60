//! `execute_process`: one program with its arguments, without a shell, run to its end.

use super::ToolCall;
use super::execute_command::{TIMEOUT_MS, run};
use super::schema::ran_schema;
use crate::answer::{CallFailure, ToolAnswer};
use crate::arguments::{ArgumentKind, ArgumentTable, GivenArguments, field};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward_engine::CommandSpec;

pub(super) const NAME: &str = "execute_process";

const DESCRIPTION: &str =
    "Like `execute_command`, without a shell: `args` reach the program as they are, nothing is expanded.";

const TABLE: ArgumentTable = ArgumentTable {
    tool: NAME,
    fields: &[
        field("file", ArgumentKind::Text, "Program: name or path"),
        field("args", ArgumentKind::Words, ""),
        field("cwd", ArgumentKind::Text, ""),
        field("input", ArgumentKind::Text, ""),
        field("timeout_ms", TIMEOUT_MS, ""),
        field("max_chars", super::MAX_CHARS, ""),
    ],
    required: &["file"],
};

pub(super) fn definition() -> Tool {
    Tool::new(NAME, DESCRIPTION, TABLE.schema())
        .with_raw_output_schema(ran_schema())
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

pub(super) async fn call(call: ToolCall, arguments: Option<JsonObject>) -> Result<ToolAnswer, CallFailure> {
    let mut given = TABLE.read(arguments)?;
    let spec = lower(&mut given);
    run(call, spec, given).await
}

fn lower(given: &mut GivenArguments) -> CommandSpec {
    let (file, args) = (given.needed("file"), given.words("args").unwrap_or_default());
    CommandSpec::exec(file).args(args)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_are_words_and_no_text_for_a_shell() {
        let arguments = json!({"file": "printf", "args": ["%s\\n", "a b", "$HOME"]});
        let mut given = TABLE.read(arguments.as_object().cloned()).unwrap();
        assert_eq!(lower(&mut given), CommandSpec::exec("printf").args(["%s\\n", "a b", "$HOME"]));
    }
}
