//! Plain calls of tools, parsed straight into their type.
//!
//! Nearly all messages are of this kind. May not read anything that it does not understand completely.

use rmcp::model::{
    CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, JsonObject, JsonRpcVersion2_0, Request,
    RequestId,
};
use serde::Deserialize;

/// A call of a tool with nothing but its name and arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainCall<'a> {
    #[serde(rename = "jsonrpc")]
    _version: JsonRpcVersion2_0,
    id: RequestId,
    method: &'a str,
    params: PlainParams,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainParams {
    name: String,
    arguments: Option<JsonObject>,
}

/// The call in a line, if it is a plain one.
pub(super) fn plain_call(line: &[u8]) -> Option<ClientJsonRpcMessage> {
    let call: PlainCall<'_> = serde_json::from_slice(line).ok()?;
    if call.method != "tools/call" {
        return None;
    }
    let mut params = CallToolRequestParams::new(call.params.name);
    params.arguments = call.params.arguments;
    Some(ClientJsonRpcMessage::request(ClientRequest::CallToolRequest(Request::new(params)), call.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn line(value: &Value) -> Vec<u8> {
        format!("{value}\n").into_bytes()
    }

    proptest! {
        /// What is parsed here is what the SDK would have parsed.
        #[test]
        fn a_plain_call_means_the_same_to_both(name in ".{0,20}", key in ".{0,8}", text in ".{0,40}", id in any::<i64>()) {
            let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": {key: text}}});
            let ours = plain_call(&line(&call)).expect("a plain call");
            let theirs: ClientJsonRpcMessage = serde_json::from_value(call).unwrap();
            prop_assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
        }
    }

    #[test]
    fn anything_more_than_a_name_and_arguments_is_left_to_the_sdk() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","requestState":"s"}}"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","name":"u"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"t"}}"#,
            "no json",
        ] {
            assert!(plain_call(line.as_bytes()).is_none(), "{line}");
        }
    }
}
