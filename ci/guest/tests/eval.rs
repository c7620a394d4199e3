//! The program `eval` as its user runs it, under the runner of the target.

use std::io::Write;
use std::process::{Command, Stdio};

/// What `eval` answers to some bytes on its standard input.
///
/// A program under QEMU cannot start another one; there the library function is asked, which `eval` wraps.
fn answers(requests: &[u8]) -> Vec<String> {
    if cfg!(not(target_arch = "x86_64")) {
        let text = String::from_utf8_lossy(requests).into_owned();
        return text.lines().filter(|line| !line.trim().is_empty()).map(vambrace_verify::eval::answer).collect();
    }
    let mut eval = Command::new(env!("CARGO_BIN_EXE_eval"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("eval starts");
    eval.stdin.take().expect("a pipe").write_all(requests).expect("eval reads");
    let output = eval.wait_with_output().expect("eval ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("answers are text").lines().map(str::to_owned).collect()
}

#[test]
fn lines_after_a_malformed_one_are_still_served() {
    let requests = b"{\"id\":1,\"algorithm\":\"sha256\",\"message\":\"616263\"}\n\
        {broken\n\
        \xff\xfe\n\
        \n\
        {\"id\":2,\"algorithm\":\"sha999\",\"message\":\"\"}\n\
        {\"id\":3,\"algorithm\":\"sha256\",\"message\":\"616263\",\"parts\":[1,0,2]}";
    let answers = answers(requests);
    assert_eq!(answers.len(), 5, "{answers:?}");
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(answers[0], format!(r#"{{"id":1,"output":"{digest}"}}"#));
    assert!(answers[1].contains(r#""id":null,"error""#), "{}", answers[1]);
    assert!(answers[2].contains(r#""id":null,"error""#), "{}", answers[2]);
    assert!(answers[3].contains(r#""id":2,"error":"unknown algorithm"#), "{}", answers[3]);
    assert_eq!(answers[4], format!(r#"{{"id":3,"output":"{digest}"}}"#));
}

#[test]
fn a_tier_that_this_process_lacks_is_an_error() {
    let answers = answers(
        b"{\"id\":1,\"algorithm\":\"sha256\",\"tier\":\"neon\",\"message\":\"\"}\n\
        {\"id\":2,\"algorithm\":\"sha256\",\"tier\":\"ce_x2\",\"messages\":[\"\"]}\n",
    );
    for (answer, variant) in answers.iter().zip(["neon", "ce_x2"]) {
        let row = vambrace_verify::subjects().into_iter().find(|row| row.name == format!("sha256_{variant}"));
        let available = row.is_some_and(|row| row.available.is_ok());
        assert_eq!(answer.contains("error"), !available, "{answer}");
    }
}
