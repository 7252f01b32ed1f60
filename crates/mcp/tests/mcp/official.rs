//! The same server through the SDK's own client, which checks what it is sent.

use crate::place::Place;
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest};
use rmcp::service::{PeerRequestOptions, RunningService};
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use std::process::Stdio;
use testkit::TreeMark;
use tokio::process::{Child, Command};

async fn connect(place: &Place) -> (Child, RunningService<RoleClient, ()>) {
    let mut command = Command::from(place.server(&[]));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let wire = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    (child, ().serve(wire).await.unwrap())
}

fn call(tool: &'static str, arguments: &Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())
}

#[tokio::test]
async fn the_client_of_the_sdk_is_served() {
    let place = Place::open();
    let (mut child, client) = connect(&place).await;
    let tools = client.list_all_tools().await.unwrap();
    assert!(tools.iter().all(|tool| tool.output_schema.is_some() && tool.annotations.is_some()));
    let result = client.call_tool(call("execute_command", &json!({"command": "echo hi"}))).await.unwrap();
    assert_eq!(result.structured_content.unwrap()["stdout"], "hi\n");
    let result =
        client.call_tool(call("execute_command", &json!({"command": "ls", "oops": 1}))).await.unwrap();
    assert_eq!(result.is_error, Some(true));
    assert!(client.call_tool(call("no_such_tool", &json!({}))).await.is_err());
    client.cancel().await.unwrap();
    assert!(child.wait().await.unwrap().success());
}

#[tokio::test]
async fn a_request_that_the_client_drops_ends_its_tree() {
    let mark = TreeMark::new();
    let place = Place::open();
    let (mut child, client) = connect(&place).await;
    let params =
        call("execute_command", &json!({"command": format!("setsid sleep {0} & sleep {0}", mark.text())}));
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let handle = client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap();
    let there = mark.clone();
    tokio::task::spawn_blocking(move || testkit::until("it runs", || there.carriers().len() >= 2))
        .await
        .unwrap();
    handle.cancel(Some("a test".to_owned())).await.unwrap();
    tokio::task::spawn_blocking(move || testkit::until("it is gone", || mark.carriers().is_empty()))
        .await
        .unwrap();
    client.cancel().await.unwrap();
    child.wait().await.unwrap();
}
