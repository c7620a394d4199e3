//! `drive ALGORITHM TIER BYTES`: processes one message (per lane) of that many bytes once, and prints the digest.
//!
//! Instruction counts and cycle predictions are slopes between two sizes of it (`docs/speed.md`).

use std::process::ExitCode;

use vambrace_verify::named;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [algorithm, tier, bytes] = arguments.as_slice() else {
        eprintln!("usage: drive ALGORITHM TIER BYTES");
        return ExitCode::from(2);
    };
    match drive(algorithm, tier, bytes) {
        Ok(digests) => {
            digests.iter().for_each(|digest| println!("{}", hex::encode(digest)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("drive: {error}");
            ExitCode::FAILURE
        }
    }
}

fn drive(algorithm: &str, tier: &str, bytes: &str) -> Result<Vec<Vec<u8>>, String> {
    let bytes: usize = bytes.parse().map_err(|_| format!("{bytes:?} is no number of bytes"))?;
    let message: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
    match tier.rsplit_once("_x") {
        Some((_, lanes)) => {
            let lanes = lanes.parse().map_err(|_| format!("{tier:?} does not end in a number of lanes"))?;
            named::digest_many(algorithm, tier, &vec![message.as_slice(); lanes])
        }
        None => {
            let mut hash = named::start(algorithm, tier)?;
            hash.update(&message);
            Ok(vec![hash.finalize()])
        }
    }
}
