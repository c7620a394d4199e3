//! `drive ALGORITHM TIER BYTES`: processes one message (per lane) of that many bytes once, and prints the digest.
//! `drive --kernels`: prints the name and the address of every kernel of this build.
//!
//! Instruction counts and cycle predictions are slopes between two sizes of it (`docs/speed.md`).

use std::process::ExitCode;

use vambrace_verify::named;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let digests = match arguments[..] {
        ["--kernels"] => {
            kernels();
            return ExitCode::SUCCESS;
        }
        [algorithm, tier, bytes] => drive(algorithm, tier, bytes),
        _ => {
            eprintln!("usage: drive ALGORITHM TIER BYTES\n       drive --kernels");
            return ExitCode::from(2);
        }
    };
    match digests {
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

/// An address in memory is the one in the ELF file, which is linked statically at fixed addresses.
fn kernels() {
    for kernel in vambrace::kernels::ALL.iter().copied().flatten() {
        if let Some(entry) = kernel.entry {
            println!("{} {:#x}", kernel.name, entry as usize);
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
