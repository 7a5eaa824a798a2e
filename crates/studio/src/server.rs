//! Implements the server: its addresses and their handlers.

use prophet_text::Problem;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use prophet_codegen::workspace::Workspace;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::answer::{Answer, OURS, ok, refused};
use crate::gate::Gate;
use crate::language::Language;
use crate::models::Models;
use crate::shared::Shared;
use crate::studio::Studio;
use crate::{
    asked, chooser, connections, copies, dropped, export, imported, page, requests, trace_file,
    validated,
};

const REQUEST_MAX: usize = 16 << 20;
/// Addresses for requests that contain files, and may therefore be larger.
const WITH_FILES: &[&str] = &["api/dropped", "api/fit-into", "api/validate"];
/// Maximum number of bytes to read from a request that is too large.
const PASSED_MAX: usize = 1 << 30;
const LOOK: Duration = Duration::from_millis(500);

/// The page's policy, which allows only what this server sends.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' \
    data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-src 'self'; \
    frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The studio's server. It is already listening for connections.
#[derive(Debug)]
pub struct Server {
    listener: std::net::TcpListener,
    studio: Studio,
}

impl Server {
    /// Opens a model or a folder of models, and listens on `port`, which only this computer can
    /// reach; 0 selects a free port. Unsaved text is stored in the folder `unsaved`.
    ///
    /// # Errors
    ///
    /// Returns an error if the model or folder can't be read, or if the port is taken.
    pub fn open(path: &Path, port: u16, unsaved: Option<&Path>) -> Result<Self, Problem> {
        Self::open_in(Language::shipped(), path, port, unsaved)
    }

    /// Opens models as [`Self::open`] does, with the user's own rules and stereotypes.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Self::open`].
    pub fn open_in(
        language: Language,
        path: &Path,
        port: u16,
        unsaved: Option<&Path>,
    ) -> Result<Self, Problem> {
        let models = Models::of(path, unsaved, language)?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let cannot = |error: io::Error| format!("cannot listen on {address}: {error}");
        let listener = std::net::TcpListener::bind(address).map_err(cannot)?;
        listener.set_nonblocking(true).map_err(cannot)?;
        let gate = Gate::new(listener.local_addr().map_err(cannot)?.port()).map_err(cannot)?;
        let studio = Studio {
            gate,
            models,
            workspace: None,
        };
        Ok(Self { listener, studio })
    }

    /// Enables the export of crates, which use the runtime in this workspace.
    #[must_use]
    pub fn with_workspace(mut self, workspace: Workspace) -> Self {
        self.studio.workspace = Some(workspace);
        self
    }

    /// Returns the address of the page, to open in a browser.
    #[must_use]
    pub fn address(&self) -> String {
        self.studio.gate.address()
    }

    /// Answers requests until the program is stopped.
    ///
    /// # Errors
    ///
    /// Returns an error if the system has no more sockets or threads.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener)?;
            let studio = Arc::new(self.studio);
            tokio::spawn(look_at_files(Arc::clone(&studio)));
            let router = Router::new().fallback(answer).with_state(studio);
            connections::serve(&listener, &router).await
        })
    }
}

async fn look_at_files(studio: Arc<Studio>) {
    loop {
        tokio::time::sleep(LOOK).await;
        for shared in studio.models.all() {
            let look = move || {
                let mut session = shared.session();
                if session.look_at_files() {
                    shared.tell(session.revision());
                }
            };
            // A problem with one file doesn't affect the others.
            let _ = tokio::task::spawn_blocking(look).await;
        }
    }
}

async fn answer(State(studio): State<Arc<Studio>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    let mut response = match studio.gate.pass(&parts.method, path, &parts.headers) {
        Ok(rest) => answer_own(&studio, &parts.method, rest, body).await,
        Err(status) => status.into_response(),
    };
    let headers = response.headers_mut();
    let mut set = |name: &'static str, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set("x-content-type-options", "nosniff");
    // The address contains the token.
    set("referrer-policy", "no-referrer");
    set("cross-origin-resource-policy", "same-origin");
    set("cache-control", "no-store");
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        let mut set = |name: &'static str, value: &'static str| {
            headers.insert(name, HeaderValue::from_static(value));
        };
        set("content-security-policy", POLICY);
        set("x-frame-options", "DENY");
        set("cross-origin-opener-policy", "same-origin");
    }
    response
}

/// Answers a request from one of the studio's own pages: about a model in the folder, about the
/// folder itself, or about the model with which the studio was started.
async fn answer_own(studio: &Arc<Studio>, method: &Method, path: &str, body: Body) -> Response {
    if let Some(path) = path.strip_prefix(chooser::MODEL) {
        let Some((name, rest)) = chooser::model_of(path) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        if !rest.starts_with("api/") {
            return file(rest);
        }
        let of_thread = Arc::clone(studio);
        let found = tokio::task::spawn_blocking(move || of_thread.models.get(&name)).await;
        return match found {
            Ok(Ok(shared)) => answer_model(studio, &shared, method, rest, body).await,
            Ok(Err(why)) => refused(StatusCode::NOT_FOUND, why).map(Body::from),
            Err(_) => refused(StatusCode::INTERNAL_SERVER_ERROR, OURS).map(Body::from),
        };
    }
    match (path.strip_prefix(chooser::LIST), studio.models.first()) {
        (None, Some(first)) => answer_model(studio, first, method, path, body).await,
        (list, _) => answer_folder(studio, method, list.unwrap_or(path), body).await,
    }
}

async fn answer_folder(studio: &Arc<Studio>, method: &Method, path: &str, body: Body) -> Response {
    if !path.starts_with("api/") {
        return file(if path.is_empty() { chooser::PAGE } else { path });
    }
    let bytes = match whole(body, path, connections::BODY).await {
        Ok(bytes) => bytes,
        Err(refusal) => return refusal,
    };
    let (is_post, path) = (method == Method::POST, path.to_owned());
    on_thread(studio, move |studio| {
        let body = is_post.then_some(&*bytes);
        if let ("api/dropped", Some(body)) = (&*path, body) {
            return imported::answer(studio, None, body);
        }
        chooser::answer(&studio.models, &studio.gate.root(), &path, body)
    })
    .await
}

/// Reads the body of a request, unless it is too large for its address. A body that is too large is
/// read to its end and dropped, because only then does the sender get the answer.
async fn whole(body: Body, path: &str, within: Duration) -> Result<Bytes, Response> {
    let has_files = WITH_FILES.contains(&path);
    let most = if has_files {
        dropped::BYTES_MAX
    } else {
        REQUEST_MAX
    };
    let too_large = || {
        let why = format!("a request can have at most {} MB", most >> 20);
        refused(StatusCode::PAYLOAD_TOO_LARGE, why).map(Body::from)
    };
    let mut chunks = body.into_data_stream();
    let mut bytes = Vec::new();
    let mut length = 0;
    // A page sends everything immediately. A client that stops would occupy a connection and its
    // memory.
    let end = tokio::time::Instant::now() + within;
    let late = |_| {
        let why = "the request did not end in time".to_owned();
        refused(StatusCode::REQUEST_TIMEOUT, why).map(Body::from)
    };
    loop {
        let chunk = tokio::time::timeout_at(end, chunks.next()).await;
        let Some(chunk) = chunk.map_err(late)? else {
            break;
        };
        let chunk = chunk.ok().filter(|_| length <= PASSED_MAX);
        let chunk = chunk.ok_or_else(too_large)?;
        length += chunk.len();
        if length <= most {
            bytes.extend_from_slice(&chunk);
        }
    }
    (length <= most).then(|| bytes.into()).ok_or_else(too_large)
}

fn file(path: &str) -> Response {
    match page::file(path) {
        Some((media_type, bytes)) => {
            let packed = (CONTENT_ENCODING, "gzip");
            ([(CONTENT_TYPE, media_type), packed], bytes).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn shown(studio: &Arc<Studio>, shared: &Arc<Shared>, path: &str) -> Response {
    match path {
        "api/targets" => {
            let mut all = export::offered(studio.workspace.as_ref());
            all.extend(trace_file::offered());
            ok(&all).map(Body::from)
        }
        "api/events" => events(shared).into_response(),
        _ if path.starts_with("api/") => {
            let path = path.to_owned();
            on_thread(shared, move |shared| requests::shown(shared, &path)).await
        }
        _ => file(path),
    }
}

async fn answer_model(
    studio: &Arc<Studio>,
    shared: &Arc<Shared>,
    method: &Method,
    path: &str,
    body: Body,
) -> Response {
    if method == Method::GET {
        return shown(studio, shared, path).await;
    }
    let bytes = match whole(body, path, connections::BODY).await {
        Ok(bytes) => bytes,
        Err(refusal) => return refusal,
    };
    let (path, shared) = (path.to_owned(), Arc::clone(shared));
    // Closing the page stops the run.
    let (_stop, run) = match asked::begin(&shared, &path, &bytes) {
        Some(Ok((stop, run))) => (Some(stop), Some(run)),
        Some(Err(why)) => return refused(StatusCode::BAD_REQUEST, why).map(Body::from),
        None => (None, None),
    };
    on_thread(studio, move |studio| match (run, &*path) {
        (Some(run), _) => run.answer(&shared),
        (_, "api/save-as") => copies::save_as(studio, &shared, &bytes),
        (_, "api/dropped") => imported::answer(studio, Some(&shared.runs.pages), &bytes),
        (_, "api/validate") => validated::answer(&shared, &bytes),
        (_, "api/export") => export::answer(&shared, studio.workspace.as_ref(), &bytes),
        _ => requests::changed(&shared, &path, &bytes),
    })
    .await
}

/// Computes an answer in its own thread, so that other requests don't have to wait.
async fn on_thread<S: Send + Sync + 'static>(
    shared: &Arc<S>,
    answer: impl FnOnce(&S) -> Answer + Send + 'static,
) -> Response {
    let shared = Arc::clone(shared);
    let answered = tokio::task::spawn_blocking(move || answer(&shared)).await;
    let answer = answered.unwrap_or_else(|_| refused(StatusCode::INTERNAL_SERVER_ERROR, OURS));
    answer.map(Body::from)
}

/// Tells the page about revisions that it didn't make.
fn events(
    shared: &Arc<Shared>,
) -> Sse<impl stream::Stream<Item = Result<Event, axum::Error>> + use<>> {
    let revisions = shared.revisions();
    let next = async |mut revisions: watch::Receiver<u64>| {
        revisions.changed().await.ok()?;
        let revision = *revisions.borrow_and_update();
        let event = Event::default().json_data(json!({ "revision": revision }));
        Some((event, revisions))
    };
    Sse::new(stream::unfold(revisions, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_does_not_end_is_refused() {
        let begun = stream::iter([Ok::<_, io::Error>(Bytes::from_static(b"{"))]);
        let body = Body::from_stream(begun.chain(stream::pending()));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        let within = Duration::from_millis(20);
        let ended = runtime
            .expect("there is room")
            .block_on(whole(body, "api/edit", within));
        let refused = ended.expect_err("it never ends");
        assert_eq!(refused.status(), StatusCode::REQUEST_TIMEOUT);
    }
}
