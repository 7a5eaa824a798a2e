//! Serves each connection separately, and drops connections that don't send a request.

use std::io;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

/// Time limit for the head of a request. Browsers send it immediately.
const HEAD: Duration = Duration::from_secs(10);
/// Time limit for the body of a request. Even a large body arrives quickly, because it comes from
/// this computer.
pub(crate) const BODY: Duration = Duration::from_mins(1);
/// Pause after a connection can't be accepted, for example because there are no sockets left.
const PAUSE: Duration = Duration::from_millis(500);

/// Answers requests until the program is stopped.
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
        // A client that closes its connection doesn't need an answer.
        tokio::spawn(async move { connection.await.is_ok() });
    }
}
