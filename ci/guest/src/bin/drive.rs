//! `drive ALGORITHM TIER BYTES`: processes one message (per lane) of that many bytes once, and prints the result. ALGORITHM is a
//! hash function, a stream cipher, or a cipher and a direction, as `aes128-xts-dec`.
//! `drive --kernels`: prints the name and the address of every kernel of this build.
//!
//! Instruction counts and cycle predictions are slopes between two sizes of it (`docs/speed.md`).

use std::process::ExitCode;

use vambrace_harness::subject::Direction;
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
    let mut message: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
    // A kernel of XTS is named by its tier and its direction; the algorithm says the direction already.
    let tier = tier.trim_end_matches("_encrypt").trim_end_matches("_decrypt");
    let key: Vec<u8> = (0..64).collect();
    // Others' names for the same: `salsa12`, `speck128/256`.
    let algorithm = match algorithm {
        "salsa12" => "salsa20-12".to_owned(),
        "salsa8" => "salsa20-8".to_owned(),
        other => other.replace('/', "-"),
    };
    let algorithm = algorithm.as_str();
    let stream = named::stream_sizes(algorithm)
        .and_then(|(key_bytes, nonce_bytes)| named::stream(algorithm, tier, &key[..key_bytes], &key[..nonce_bytes]));
    if let Some(stream) = stream {
        stream?.apply(&mut message)?;
        return Ok(vec![message]);
    }
    let xts = algorithm.rsplit_once('-').and_then(|(cipher, direction)| {
        let direction = match direction {
            "enc" => Direction::Encrypt,
            "dec" => Direction::Decrypt,
            _ => return None,
        };
        let (key_bytes, tweak_bytes) = named::xts_sizes(cipher)?;
        Some((named::xts(cipher, tier, &key[..key_bytes], false)?, direction, &key[..tweak_bytes]))
    });
    if let Some((keyed, direction, tweak)) = xts {
        keyed?.crypt(direction, tweak, &mut message)?;
        return Ok(vec![message]);
    }
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
