//! Tests the server with a real client: headless Neovim.

use std::fs;
use std::process::Command;

use prophet_testing::has;

/// Opens a text with an error, waits for its problem, and fixes the error.
const SCRIPT: &str = r#"
local server = vim.env.PROPHET_LSP
vim.cmd("edit model.puml")
local client = vim.lsp.start_client({ name = "prophet", cmd = { server }, root_dir = "." })
vim.lsp.buf_attach_client(0, client)
local function problems() return vim.diagnostic.get(0) end
local told = vim.wait(20000, function() return #problems() == 1 end, 20)
print(told and problems()[1].message or "nothing is told")
vim.api.nvim_buf_set_lines(0, 3, 4, false, { "cost = 2.0;" })
local mended = vim.wait(20000, function() return #problems() == 0 end, 20)
print(mended and "mended" or "still wrong")
local request = { textDocument = vim.lsp.util.make_text_document_params() }
local lens = vim.lsp.buf_request_sync(0, "textDocument/codeLens", request, 20000)
for _, answer in pairs(lens or {}) do print(answer.result[1].command.title) end
vim.cmd("qall!")
"#;

#[test]
fn neovim_shows_problems_and_the_prediction() {
    if !has("nvim", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let text = "@startuml\nstart\n:<<action+>> Work\ncost = 2.0 * M;\nstop\n@enduml\n";
    fs::write(folder.path().join("model.puml"), text).expect("it can be written");
    fs::write(folder.path().join("script.lua"), SCRIPT).expect("it can be written");
    let ran = Command::new("nvim")
        .args(["--headless", "--clean", "-n", "-S", "script.lua"])
        .current_dir(folder.path())
        .env("PROPHET_LSP", env!("CARGO_BIN_EXE_prophet-lsp"))
        .env("HOME", folder.path())
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(said.contains("`M`"), "{said}");
    assert!(said.contains("mended"), "{said}");
    assert!(said.contains("predicted: 2.000 s on 1 process"), "{said}");
}
