//! Answers JSON lines on standard input by JSON lines on standard output: see [`vambrace_verify::eval`].

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(argument) = std::env::args().nth(1) {
        eprintln!(
            "eval: unexpected argument {argument:?}; requests are read from standard input, one JSON object a line"
        );
        return ExitCode::from(2);
    }
    match serve(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("eval: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(mut requests: impl BufRead, mut answers: impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    while requests.read_until(b'\n', &mut line)? != 0 {
        // A line that is not UTF-8 is a malformed request like any other.
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            writeln!(answers, "{}", vambrace_verify::eval::answer(text.trim()))?;
            answers.flush()?;
        }
        line.clear();
    }
    Ok(())
}
