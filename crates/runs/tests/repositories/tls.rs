//! Tests encrypted connections to a server with certificates made by `openssl`.

use std::net::TcpListener;
use std::path::Path;

use prophet_testing::{assert_says, skip, stderr};

use crate::common::{add, printed, program, refused, sweep};
use crate::postgres::Server;

const OPENSSL: &str = "/usr/bin/openssl";

/// A server that accepts only encrypted network connections. Its certificate is for `localhost` and
/// signed by `ca.crt`; `other.crt` is unrelated.
struct Encrypted {
    server: Server,
    port: u16,
}

impl Encrypted {
    fn start() -> Option<Self> {
        if !Path::new(OPENSSL).exists() {
            skip("openssl is not installed");
            return None;
        }
        let server = Server::prepare()?;
        for name in ["ca", "other"] {
            make_own(&server, name);
        }
        make_signed(&server);
        let folder = server.socket();
        let access = "local all all trust\nhostssl all all 127.0.0.1/32 trust\n";
        std::fs::write(format!("{}/pg_hba.conf", server.data()), access).expect("it can be");
        let port = free_port();
        server.listen(&format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c ssl=on \
             -c ssl_cert_file={folder}/server.crt -c ssl_key_file={folder}/server.key"
        ));
        server.run(
            "createdb",
            &format!("-h {folder} -p {port} -U prophet runs"),
        );
        Some(Self { server, port })
    }

    /// Returns a URL for one of the server's names, with options and with the certificates to
    /// trust.
    fn url(&self, host: &str, options: &str, trusted: &str) -> String {
        let port = self.port;
        let roots = match trusted {
            "" => String::new(),
            name => format!("&sslrootcert={}/{name}.crt", self.server.socket()),
        };
        format!("postgresql://prophet@{host}:{port}/runs?{options}{roots}")
    }
}

/// Returns a port that no program listens on.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is one");
    listener.local_addr().expect("it has one").port()
}

const KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

fn make_own(server: &Server, name: &str) {
    let files = format!("-keyout {name}.key -out {name}.crt -subj /CN={name} -days 2");
    server.run(OPENSSL, &format!("req -x509 {KEY} {files}"));
}

fn make_signed(server: &Server) {
    let files = "-keyout server.key -out server.csr -subj /CN=localhost";
    server.run(OPENSSL, &format!("req {KEY} {files}"));
    let names = format!("{}/names", server.socket());
    std::fs::write(&names, "subjectAltName=DNS:localhost\n").expect("it can be");
    let signed = "-CA ca.crt -CAkey ca.key -CAcreateserial -days 2";
    let files = format!("-in server.csr -out server.crt -extfile {names}");
    server.run(OPENSSL, &format!("x509 -req {signed} {files}"));
}

#[test]
fn connections_are_encrypted_as_their_mode_says() {
    let Some(server) = Encrypted::start() else {
        return;
    };
    let folder = tempfile::tempdir().expect("there is room");
    let file = sweep(folder.path(), "M", 1);
    let add = add(&file);
    for (host, options, trusted) in [
        ("127.0.0.1", "", ""),
        ("127.0.0.1", "sslmode=prefer", ""),
        ("127.0.0.1", "sslmode=require", ""),
        ("127.0.0.1", "sslmode=require", "ca"),
        ("127.0.0.1", "sslmode=verify-ca", "ca"),
        ("localhost", "sslmode=verify-full", "ca"),
        // The server's own certificate works too.
        ("localhost", "sslmode=verify-full", "server"),
    ] {
        printed(server.url(host, options, trusted), &add);
    }
    let unreachable = "cannot reach the database: ";
    for (host, options, trusted, why) in [
        ("127.0.0.1", "sslmode=disable", "", "no encryption"),
        ("127.0.0.1", "sslmode=require", "other", "UnknownIssuer"),
        ("127.0.0.1", "sslmode=verify-ca", "other", "UnknownIssuer"),
        ("localhost", "sslmode=verify-full", "other", "UnknownIssuer"),
        (
            "127.0.0.1",
            "sslmode=verify-full",
            "ca",
            "not valid for name",
        ),
    ] {
        refused(
            server.url(host, options, trusted),
            &add,
            &[unreachable, why],
        );
    }
    // This user has no certificates.
    let url = server.url("localhost", "sslmode=verify-full", "");
    let list = program(&url)
        .arg("list")
        .env("HOME", folder.path())
        .output();
    let message = stderr(&list.expect("the program can be started"));
    assert_says(&message, &["sslrootcert=FILE, or ~/.postgresql/root.crt"]);
}

#[test]
fn a_server_without_encryption_is_refused_where_that_is_required() {
    let Some(server) = Server::prepare() else {
        return;
    };
    let port = free_port();
    server.listen(&format!("-p {port} -c listen_addresses=127.0.0.1"));
    let url = format!("postgresql://prophet@127.0.0.1:{port}/postgres?sslmode=require");
    refused(&url, "list", &["server does not support TLS"]);
    let url = format!("postgresql://prophet@127.0.0.1:{port}/postgres?sslmode=prefer");
    refused(&url, "list", &["contains no runs yet"]);
}
