//! Connections: each is served by itself, and none is kept that asks nothing.

use std::io;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

/// Time in which the head of a request has to come; a browser sends all of it immediately.
const HEAD: Duration = Duration::from_secs(10);
/// Time in which its body has to come, even a large one: it comes from this computer.
pub(crate) const BODY: Duration = Duration::from_mins(1);
/// Pause after a failure to accept a connection, such as a lack of sockets.
const PAUSE: Duration = Duration::from_millis(500);

/// Answers until the program is ended.
pub(crate) async fn serve(listener: &TcpListener, router: &Router) -> io::Result<()> {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = http.serve_connection(TokioIo::new(stream), service);
        // Whoever breaks a connection off has no answer to wait for.
        tokio::spawn(async move { connection.await.is_ok() });
    }
}
