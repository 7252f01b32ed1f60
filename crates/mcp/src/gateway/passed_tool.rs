//! A tool of a child as the child defines it. Members that the SDK does not know (`execution` in one revision, whatever comes
//! next) pass unchanged. May not change anything but the name.

use rmcp::model::{JsonObject, Tool};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Deref;

/// A tool with everything its child said about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "JsonObject", into = "JsonObject")]
pub struct PassedTool {
    /// What is understood of it.
    tool: Tool,
    /// What was said.
    definition: JsonObject,
}

impl PassedTool {
    /// The same tool under another name.
    pub fn renamed(&self, name: &str) -> Self {
        let mut renamed = self.clone();
        renamed.tool.name = name.to_owned().into();
        renamed.definition.insert("name".to_owned(), Value::from(name));
        renamed
    }
}

impl TryFrom<JsonObject> for PassedTool {
    type Error = serde_json::Error;

    fn try_from(definition: JsonObject) -> Result<Self, serde_json::Error> {
        let tool = Tool::deserialize(&definition)?;
        Ok(Self { tool, definition })
    }
}

impl From<PassedTool> for JsonObject {
    fn from(tool: PassedTool) -> Self {
        tool.definition
    }
}

impl Deref for PassedTool {
    type Target = Tool;

    fn deref(&self) -> &Tool {
        &self.tool
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_definition_passes_with_what_is_not_known_here() {
        let mut said = json!({
            "name": "x",
            "description": "does x",
            "inputSchema": {"type": "object", "properties": {}},
            "annotations": {"readOnlyHint": true, "later": 1},
            "execution": {"taskSupport": "optional"},
            "tomorrow": [1, {"a": null}],
        });
        let tool: PassedTool = serde_json::from_value(said.clone()).unwrap();
        assert_eq!(json!(tool), said);
        said["name"] = json!("one__x");
        assert_eq!((json!(tool.renamed("one__x")), tool.renamed("one__x").name.as_ref()), (said, "one__x"));
    }

    #[test]
    fn what_is_no_tool_is_an_error() {
        assert!(serde_json::from_value::<PassedTool>(json!({"description": "no name"})).is_err());
    }
}
