//! Opens an encrypted disk image that another program made: LUKS1 with `aes-xts-plain64`, as by
//!
//! ```console
//! qemu-img convert -f raw -O luks --object secret,id=s,file=passphrase \
//!     -o key-secret=s,cipher-alg=aes-256,cipher-mode=xts,ivgen-alg=plain64,hash-alg=sha256,iter-time=10 plain.raw image.luks
//! ```
//!
//! Decrypts its payload by a tier of the library, compares it with the plain image if there is one, encrypts it again and
//! compares that with the encrypted image. One JSON object on standard output says what was done:
//!
//! ```console
//! $ cargo run -p vambrace-verify --example luks --target aarch64-unknown-linux-gnu -- \
//!       image.luks --passphrase-file passphrase --plain plain.raw --decrypt-tier neon --encrypt-tier neon
//! {"cipher":"aes-256-xts-plain64","slot":0,"sectors":2048,"compared_with_plain":true,"decrypted_by":"neon","encrypted_by":"neon"}
//! ```
//!
//! PBKDF2 and SHA-256 are the crates `pbkdf2` and `sha2`; the key slots are decrypted by the library too, and judged by the
//! digest of the volume's key in the header.

mod error;
mod header;
mod split;
#[cfg(test)]
mod tests;
mod volume;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use clap::Parser;
use header::{Header, SECTOR};
use serde::Serialize;
use vambrace::Tier;
use volume::{Tiers, Volume};

/// Decrypts a LUKS1 image, and encrypts its payload again.
#[derive(Parser)]
struct Arguments {
    /// The encrypted image.
    image: PathBuf,
    /// A file with the passphrase, all of it: a line end belongs to it.
    #[arg(long, value_name = "FILE")]
    passphrase_file: PathBuf,
    /// What the payload must be when decrypted.
    #[arg(long, value_name = "FILE")]
    plain: Option<PathBuf>,
    /// Where to write the decrypted payload.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// generic, scalar, neon or ce; the best that the CPU has, without.
    #[arg(long, value_name = "TIER", value_parser = tier)]
    decrypt_tier: Option<Tier>,
    /// The same for encryption.
    #[arg(long, value_name = "TIER", value_parser = tier)]
    encrypt_tier: Option<Tier>,
}

fn tier(name: &str) -> Result<Tier, String> {
    name.parse().map_err(|_| format!("{name:?} is no tier; there are generic, scalar, neon and ce"))
}

/// What was done.
#[derive(Serialize)]
struct Done {
    cipher: String,
    slot: usize,
    sectors: usize,
    compared_with_plain: bool,
    decrypted_by: &'static str,
    encrypted_by: &'static str,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(done) => {
            println!("{done}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("luks: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<String, String> {
    if let Some(output) = &arguments.output
        && fs::canonicalize(output).is_ok_and(|output| fs::canonicalize(&arguments.image).is_ok_and(|it| it == output))
    {
        return Err(format!("{}: the plain payload would overwrite the image", output.display()));
    }
    let image = read(&arguments.image)?;
    let passphrase = read(&arguments.passphrase_file)?;
    let in_image = |error: error::LuksError| format!("{}: {error}", arguments.image.display());
    let header = Header::read(&image).map_err(in_image)?;
    let tiers = Tiers { encrypt: arguments.encrypt_tier, decrypt: arguments.decrypt_tier };
    let volume = Volume::open(&image, &header, &passphrase, tiers).map_err(in_image)?;
    let encrypted = &image[header.payload];
    let mut payload = encrypted.to_vec();
    let (encrypted_by, decrypted_by) = volume.tiers();

    volume.decrypt(&mut payload).map_err(in_image)?;
    if let Some(plain) = &arguments.plain {
        same(&read(plain)?, &payload, &format!("the payload decrypted by {decrypted_by} is not {}", plain.display()))?;
    }
    let mut again = payload.clone();
    volume.encrypt(&mut again).map_err(in_image)?;
    same(encrypted, &again, &format!("the payload encrypted again by {encrypted_by} is not that of the image"))?;

    if let Some(output) = &arguments.output {
        fs::write(output, &payload).map_err(|error| format!("{}: {error}", output.display()))?;
    }

    let done = Done {
        cipher: format!("aes-{}-xts-plain64", volume.key_bytes * 4),
        slot: volume.slot,
        sectors: encrypted.len() / SECTOR,
        compared_with_plain: arguments.plain.is_some(),
        decrypted_by: decrypted_by.name(),
        encrypted_by: encrypted_by.name(),
    };
    serde_json::to_string(&done).map_err(|error| error.to_string())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error: io::Error| format!("{}: {error}", path.display()))
}

/// That two payloads are the same, or where they first differ.
fn same(expected: &[u8], actual: &[u8], otherwise: &str) -> Result<(), String> {
    if expected.len() != actual.len() {
        return Err(format!("{otherwise}: {} bytes, not {}", actual.len(), expected.len()));
    }
    match expected.iter().zip(actual).position(|(expected, actual)| expected != actual) {
        None => Ok(()),
        Some(byte) => {
            let shown = |bytes: &[u8]| hex::encode(&bytes[byte..(byte + 16).min(bytes.len())]);
            let (sector, inside) = (byte / SECTOR, byte % SECTOR);
            let (actual, expected) = (shown(actual), shown(expected));
            Err(format!("{otherwise}: from byte {inside} of sector {sector} it has {actual}, expected {expected}"))
        }
    }
}
