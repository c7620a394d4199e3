//! The check *luks*: disk images that `qemu-img` encrypts on the host, opened in guests by the example `luks`.
//!
//! The payload is decrypted by a tier, compared with the plain image, and encrypted again. A row stands for its own kernel: the
//! other direction is the portable tier's, as in the checks of XTS.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use rand::Rng;
use rayon::prelude::*;
use serde::Deserialize;
use tempfile::TempDir;
use vambrace::Tier;
use vambrace_harness::{Budget, Context};

use crate::guest::{self, Launch};
use crate::plan::{Check, Row, Scope};

/// The check's name.
pub const NAME: &str = "luks";

/// The example in the crate of the guests.
pub const EXAMPLE: &str = "luks";

/// Bytes of a sector.
const SECTOR: usize = 512;

/// Bytes of the payload.
const PAYLOAD: usize = 2048 * SECTOR;

const PASSPHRASE: &str = "the passphrase of these images";

/// The ciphers of the images, as `qemu-img` and as the volumes call them.
const CIPHERS: [(&str, &str); 2] = [("aes-128", "aes-128-xts-plain64"), ("aes-256", "aes-256-xts-plain64")];

/// The check.
pub fn check() -> Check {
    Check {
        name: NAME,
        scope: Scope::Image,
        looks_for:
            "images that another program encrypted (qemu-img, LUKS1, aes-xts-plain64) and that do not open, decrypt to \
            something else, or are not encrypted again to the same bytes; in full runs"
                .to_owned(),
        seen_in: String::new(),
    }
}

/// What opening the images by a kernel showed.
#[derive(Clone, Debug)]
pub struct Opened {
    /// `aarch64` or `arm`.
    pub architecture: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// Where, as `max`.
    pub cpu: String,
    /// Wall-clock milliseconds.
    pub milliseconds: u64,
    /// What was found.
    pub finding: Finding,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// So many sectors were the same in both directions.
    Same(u64),
    /// Something is wrong.
    Wrong(String),
    /// It could not be tried.
    NotRun(String),
}

/// A row, and how to start a program with some arguments where the row's kernel can be run.
pub struct Opener<'a, L> {
    /// The row.
    pub row: &'a Row,
    /// Where, as `max`.
    pub cpu: String,
    /// Starts the example there.
    pub launch: L,
}

/// Makes the images, and opens them by each row's kernel.
pub fn open_all<L>(openers: &[Opener<'_, L>], seed: u64) -> Vec<Opened>
where
    L: Fn(Vec<OsString>) -> Launch + Sync,
{
    let images = Images::make("qemu-img".as_ref(), seed);
    let open = |Opener { row, cpu, launch }: &Opener<'_, L>| {
        let begun = Instant::now();
        let finding = match &images {
            Ok(images) => images.open(row, launch),
            Err(finding) => finding.clone(),
        };
        let (architecture, kernel) = (row.architecture.name(), row.name.clone());
        Opened { architecture, kernel, cpu: cpu.clone(), milliseconds: begun.elapsed().as_millis() as u64, finding }
    };
    openers.par_iter().map(open).collect()
}

/// A plain image, and what `qemu-img` makes of it.
struct Images {
    folder: TempDir,
}

impl Images {
    /// Makes them in a temporary folder, by `program`.
    fn make(program: &OsStr, seed: u64) -> Result<Images, Finding> {
        let images = || -> io::Result<Images> {
            let images = Images { folder: tempfile::tempdir()? };
            let mut payload = vec![0; PAYLOAD];
            Context::new(Budget::Full, seed).rng(NAME, NAME, 0).fill_bytes(&mut payload);
            // Sectors that are all alike before encryption.
            payload[8 * SECTOR..16 * SECTOR].fill(0);
            payload[16 * SECTOR..24 * SECTOR].fill(0xff);
            fs::write(images.plain(), payload)?;
            fs::write(images.passphrase(), PASSPHRASE)?;
            Ok(images)
        };
        let images = images().map_err(|error| Finding::Wrong(format!("the plain image cannot be written: {error}")))?;
        for (cipher, _) in CIPHERS {
            images.encrypt(program, cipher)?;
        }
        Ok(images)
    }

    fn plain(&self) -> PathBuf {
        self.folder.path().join("plain.raw")
    }

    fn passphrase(&self) -> PathBuf {
        self.folder.path().join("passphrase")
    }

    fn encrypted(&self, cipher: &str) -> PathBuf {
        self.folder.path().join(cipher).with_extension("luks")
    }

    fn encrypt(&self, program: &OsStr, cipher: &str) -> Result<(), Finding> {
        let name = program.to_string_lossy();
        let mut command = Command::new(program);
        command.args(["convert", "-f", "raw", "-O", "luks", "--object"]);
        let mut secret = OsString::from("secret,id=passphrase,file=");
        secret.push(self.passphrase());
        command.arg(secret);
        command.arg("-o").arg(format!(
            "key-secret=passphrase,cipher-alg={cipher},cipher-mode=xts,ivgen-alg=plain64,hash-alg=sha256,iter-time=10"
        ));
        command.arg(self.plain()).arg(self.encrypted(cipher));
        match command.output() {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr);
                Err(Finding::Wrong(format!("{name} does not make the image ({}): {}", output.status, said.trim())))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Finding::NotRun(format!(
                "not run: {name} is not installed; run ci/setup --for full, or: sudo apt-get install qemu-utils"
            ))),
            Err(error) => Err(Finding::Wrong(format!("{name} cannot be run: {error}"))),
        }
    }

    /// Opens each image by the kernel of a row.
    fn open(&self, row: &Row, launch: &impl Fn(Vec<OsString>) -> Launch) -> Finding {
        let mut sectors = 0;
        for (cipher, volume) in CIPHERS {
            let (decrypt, encrypt) = tiers(row);
            let mut arguments: Vec<OsString> = vec![self.encrypted(cipher).into()];
            arguments.extend(["--passphrase-file".into(), self.passphrase().into()]);
            arguments.extend(["--plain".into(), self.plain().into()]);
            arguments.extend(["--decrypt-tier", decrypt.name(), "--encrypt-tier", encrypt.name()].map(OsString::from));
            let expected = Done {
                cipher: volume.to_owned(),
                sectors: (PAYLOAD / SECTOR) as u64,
                decrypted_by: decrypt.name().to_owned(),
                encrypted_by: encrypt.name().to_owned(),
            };
            match open(&launch(arguments), &expected) {
                // Both ways.
                Ok(()) => sectors += 2 * expected.sectors,
                Err(what) => return Finding::Wrong(format!("{volume}: {what}")),
            }
        }
        Finding::Same(sectors)
    }
}

/// The tiers that decrypt and encrypt, for a row.
fn tiers(row: &Row) -> (Tier, Tier) {
    match row.variant.split_once('_') {
        Some((_, "decrypt")) => (row.tier, Tier::Generic),
        Some((_, "encrypt")) => (Tier::Generic, row.tier),
        _ => (row.tier, row.tier),
    }
}

/// What the example says that it did.
#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Done {
    cipher: String,
    sectors: u64,
    decrypted_by: String,
    encrypted_by: String,
}

/// Runs the example, which must say that it did what is expected: an exit status alone says little under QEMU.
fn open(launch: &Launch, expected: &Done) -> Result<(), String> {
    let mut lines = Vec::new();
    guest::run_program(launch, |line| lines.push(line.to_owned()))?;
    match lines.as_slice() {
        [line] => match serde_json::from_str::<Done>(line) {
            Ok(done) if done == *expected => Ok(()),
            Ok(done) => Err(format!("the example did {done:?}, not {expected:?}")),
            Err(error) => Err(format!("the example printed {line:?}: {error}")),
        },
        lines => Err(format!("the example printed {} lines, not one: {}", lines.len(), lines.join("; "))),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::plan::rows;

    fn script(text: &str) -> Launch {
        Launch { command_line: ["sh", "-c", text].map(OsString::from).to_vec(), silence: Duration::from_secs(20) }
    }

    fn expected() -> Done {
        let (decrypted_by, encrypted_by) = ("neon".to_owned(), "generic".to_owned());
        Done { cipher: "aes-128-xts-plain64".to_owned(), sectors: 3, decrypted_by, encrypted_by }
    }

    const LINE: &str =
        r#"{"cipher":"aes-128-xts-plain64","slot":0,"sectors":3,"decrypted_by":"neon","encrypted_by":"generic"}"#;

    #[test]
    fn the_example_is_believed_when_it_says_what_it_did_and_succeeds() {
        assert_eq!(open(&script(&format!("echo '{LINE}'")), &expected()), Ok(()));
        let fails = |text: &str| open(&script(text), &expected()).unwrap_err();
        assert!(fails(&format!("echo '{LINE}'; echo wrong passphrase >&2; exit 1")).contains("wrong passphrase"));
        assert!(fails("exit 0").contains("printed 0 lines"));
        assert!(fails(&format!("echo '{LINE}'; echo '{LINE}'")).contains("printed 2 lines"));
        assert!(fails("echo fine").contains("\"fine\""));
        assert!(fails(&format!("echo '{LINE}' | sed s/neon/scalar/")).contains("scalar"));
        assert!(fails(&format!("echo '{LINE}' | sed s/:3/:2/")).contains("sectors: 2"));
        assert!(fails("kill -ILL $$").contains("SIGILL"));
        let hanging = Launch { silence: Duration::from_millis(200), ..script("sleep 100") };
        assert!(open(&hanging, &expected()).unwrap_err().contains("silent"));
    }

    #[test]
    fn without_qemu_img_nothing_is_run_and_the_package_is_named() {
        let Err(Finding::NotRun(reason)) = Images::make("qemu-img-of-nowhere".as_ref(), 1) else { panic!("not run") };
        assert!(reason.contains("qemu-img-of-nowhere is not installed") && reason.contains("qemu-utils"), "{reason}");
    }

    #[test]
    fn a_qemu_img_that_fails_is_a_failure_in_its_own_words() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("qemu-img");
        let fake = |script: &str| {
            fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            Images::make(program.as_ref(), 1)
        };
        let Err(Finding::Wrong(what)) = fake("echo Unknown cipher >&2; exit 1") else { panic!("it fails") };
        assert!(what.contains("Unknown cipher") && what.contains("exit status: 1"), "{what}");
        let images = fake("for last; do :; done; echo \"$*\" > \"$last\"").map_err(|_| "made").unwrap();
        let line = fs::read_to_string(images.encrypted("aes-256")).unwrap();
        assert!(line.contains("cipher-alg=aes-256,cipher-mode=xts,ivgen-alg=plain64"), "{line}");
        assert_eq!(fs::metadata(images.plain()).unwrap().len(), PAYLOAD as u64);
        assert!(Path::new(&images.passphrase()).exists());
    }

    #[test]
    fn a_row_runs_its_own_kernel_in_its_own_direction() {
        let of = |name: &str| tiers(rows().iter().find(|row| row.name == name).unwrap());
        assert_eq!(of("aes_xts_neon_decrypt"), (Tier::Neon, Tier::Generic));
        assert_eq!(of("aes_xts_neon_encrypt"), (Tier::Generic, Tier::Neon));
        assert_eq!(of("aes_xts_ce_expand_key"), (Tier::Ce, Tier::Ce));
        assert_eq!(of("aes-xts_generic"), (Tier::Generic, Tier::Generic));
    }
}
