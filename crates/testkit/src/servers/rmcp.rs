//! The least an MCP server on `rmcp` can be: the SDK and `posix_spawn`, in place. No features.
//!
//! Tools: `run` (`argv`); `type` (`line`) and `hear`, on a terminal with `cat` behind it. Linux only.

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("bare-rmcp: Linux only");
    std::process::exit(2);
}

#[cfg(target_os = "linux")]
fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(linux::serve());
    // A read that blocks must not hold us.
    std::process::exit(0);
}

#[cfg(target_os = "linux")]
mod linux {
    use rmcp::handler::server::ServerHandler;
    use rmcp::model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ServerCapabilities,
        ServerConfig,
    };
    use rmcp::service::RequestContext;
    use rmcp::transport::io::stdio_pipes;
    use rmcp::{ErrorData, RoleServer, ServiceExt};
    use serde_json::{Map, Value};
    use std::path::Path;
    use std::sync::OnceLock;
    use testkit::bare::{Parrot, captured};

    struct Bare;

    /// Serves until the client is gone.
    pub(super) async fn serve() {
        let running = Bare.serve(stdio_pipes()).await.expect("a client");
        running.waiting().await.expect("no panic");
    }

    impl ServerHandler for Bare {
        fn get_info(&self) -> ServerConfig {
            ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
        }

        async fn call_tool(
            &self,
            request: CallToolRequestParams,
            _: RequestContext<RoleServer>,
        ) -> Result<CallToolResponse, ErrorData> {
            let arguments = request.arguments.unwrap_or_default();
            // In place: no other call waits, and handing it to a thread would only cost more.
            let text = match request.name.as_ref() {
                "type" => typed(&arguments),
                "hear" => parrot().hear().expect("it answers"),
                _ => ran(&arguments),
            };
            Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
        }
    }

    fn ran(arguments: &Map<String, Value>) -> String {
        let argv = arguments["argv"].as_array().expect("words").iter();
        let words: Vec<&str> = argv.filter_map(|word| word.as_str()).collect();
        let done = captured(Path::new(words[0]), &words[1..]).expect("it runs");
        format!("status {}, {} bytes", done.status, done.bytes)
    }

    fn typed(arguments: &Map<String, Value>) -> String {
        parrot().say(arguments["line"].as_str().expect("a line")).expect("it reads");
        "typed".to_owned()
    }

    fn parrot() -> &'static Parrot {
        static PARROT: OnceLock<Parrot> = OnceLock::new();
        PARROT.get_or_init(|| Parrot::start().expect("a terminal"))
    }
}
