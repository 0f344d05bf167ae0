//! A server for assistants, which search and read the conversations of a site through the Model Context
//! Protocol, over standard input and output.
//!
//! Answers are made from the same plan as the site: they show what a build would publish, and
//! the texts are the Markdown copies of its pages.

mod answers;
mod tools;

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt, transport};

use self::tools::Tool;
use crate::local_search::SearchResults;
use crate::pipeline::Build;

/// The conversations that the server gives access to, read again for each call of a tool.
///
/// Errors are messages for the assistant.
pub trait Archive: Send + Sync + 'static {
    /// Returns the plan of the site, with Markdown copies.
    fn build(&self) -> Result<Build, String>;

    /// Returns the same and the best `limit` turns that match a query.
    fn search(&self, query: &str, limit: usize) -> Result<(Build, SearchResults), String>;
}

/// The stack of a thread that reads conversations: libraries recurse deeply on nested input. Bytes.
const STACK_BYTES: usize = 16 << 20;

const INSTRUCTIONS: &str = "\
Search and read an archive of conversations. `search` finds turns; `fetch` returns the text of a \
conversation, from a given turn. Quote what people and models said with the URL of the turn, if \
it has one.";

/// Answers requests until standard input ends.
pub fn serve(archive: impl Archive) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .thread_stack_size(STACK_BYTES)
        .build()?;
    runtime.block_on(async {
        let server = Server { archive: Arc::new(Mutex::new(archive)) };
        match server.serve(transport::stdio()).await {
            Ok(server) => server.waiting().await.map(drop).map_err(io::Error::other),
            // It ended before the first request.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        }
    })
}

struct Server<A> {
    /// One call at a time reads the archive, which takes memory and the lock of its cache.
    archive: Arc<Mutex<A>>,
}

impl<A: Archive> ServerHandler for Server<A> {
    fn get_info(&self) -> ServerConfig {
        let implementation = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(implementation)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all().map(|(_, tool)| tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = Tool::named(&request.name) else {
            return Err(ErrorData::invalid_params(
                format!("unknown tool `{}`", request.name),
                None,
            ));
        };
        let archive = self.archive.clone();
        let arguments = request.arguments.unwrap_or_default();
        let call = move || {
            let archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
            tool.call(&*archive, arguments)
        };
        let answer = tokio::task::spawn_blocking(call).await;
        let answer = answer.unwrap_or_else(|_| Err("this is a bug in convo-site".to_owned()));
        let result = match answer {
            Ok(value) => CallToolResult::structured(value),
            Err(message) => CallToolResult::error(vec![ContentBlock::text(message)]),
        };
        Ok(result.into())
    }
}
