//! What each check looks for, planted in our own kernels and types: the rows of the catalogue of checks. Published bugs that a
//! check must see are in `published`; here are those that it sees alone, in kernels and types that are not mentioned there.

use vambrace::kernels::Architecture;

use super::bug::{Entry, Sibling, entry, here, there};
use super::published::{LAST_BLOCK, last_block};
use crate::trace::{BOUNDS, CONSTANT_TIME, COVERAGE};

const A64: Architecture = Architecture::Aarch64;
const A32: Architecture = Architecture::Arm;

const SHA2: &str = "impls/src/sha2/engine.rs";
const SALSA: &str = "impls/src/salsa20/engine.rs";
const XTS: &str = "impls/src/xts/mod.rs";

/// Every check that runs on kernels, by its name.
pub fn entries() -> Vec<Entry> {
    let mut entries = of_function();
    entries.extend(of_machine());
    entries
}

fn library(row: &str, what: &str, file: &str, find: &str, replace: &str) -> Sibling {
    Sibling::library(A32, row, what).edit_in(file, find, replace)
}

fn of_function() -> Vec<Entry> {
    vec![
        entry("kat", "other results than the standard's", "what all test vectors look for", &["kat"], wrong_results()),
        entry("lengths", "a length that is wrong", "the KUnit tests of Linux", &["lengths"], lengths()),
        entry(
            "splits",
            "something lost between parts",
            "KUnit, testmgr; libgcrypt and isa-l_crypto",
            &["splits"],
            splits(),
        ),
        entry("differential", "rare inputs that are wrong", "testmgr, Cryptofuzz", &["differential"], rare_inputs()),
        entry(
            "counters",
            "a carry of a counter",
            "stream-ciphers#445, the carries of Linux' CTR",
            &["counters"],
            counters(),
        ),
        entry(
            "mixed-tiers",
            "a tier that does not go on where another stopped",
            "libgcrypt's layout of state for NEON",
            &["mixed-tiers"],
            tiers(),
        ),
        entry(
            "aliasing",
            "a result that depends on where the buffers are",
            "testmgr, BoringSSL",
            &["aliasing"],
            places(),
        ),
        entry("xts", "data units and sectors", "CVE-2023-1255 and its like", &["xts"], data_units()),
        entry("stream", "positions in a key stream", "stream-ciphers#445", &["stream"], positions()),
        entry("many", "lanes that mix", "isa-l_crypto", &["many"], lanes()),
        entry("handed-back", "what a call hands back", "libgcrypt 60ed0abb", &["handed-back"], handed_back()),
        entry("determinism", "a result that depends on the surroundings", "SUPERCOP", &["determinism"], surroundings()),
        entry("errors", "wrong arguments that are accepted", "aead-test-template", &["errors"], errors()),
        entry("parameters", "parameters that do not reach the digest", "libb2#12", &["parameters"], parameters()),
    ]
}

fn wrong_results() -> Vec<Sibling> {
    vec![
        library(
            "sha256_scalar",
            "the words of the digest are little-endian",
            "impls/src/sha2/mod.rs",
            "bytes.copy_from_slice(&«word.to_be_bytes()»);",
            "word.to_le_bytes()",
        ),
        library(
            "sha512_neon",
            "SHA-512/224 ends with the wrong half of a word",
            "impls/src/sha2/mod.rs",
            "bytes.copy_from_slice(«&whole[..bytes.len()]»);",
            "&whole[F::BLOCK_BYTES / 16 - bytes.len()..F::BLOCK_BYTES / 16]",
        ),
        library(
            "aes_xts_ce_encrypt",
            "the tweak is taken as it is",
            XTS,
            "«self.tweak.block(Direction::Encrypt, C::Block::default(), &mut encrypted);»",
            "let _ = &self.tweak;",
        ),
        library(
            "speck64_xts_neon_decrypt",
            "the two keys change places",
            XTS,
            "let (data, tweak) = «key.split_at(key.len() / 2)»;",
            "{ let (one, other) = key.split_at(key.len() / 2); (other, one) }",
        ),
        Sibling::kernel(A64, "sha512_ce_x2", "a constant").edit("0x06f067aa72176fba", "0x06f067aa72176fbb"),
        Sibling::kernel(A32, "salsa20_neon", "a rotation of the vectors alone")
            .edit("vsri.32 vu_\\lane, vt_\\lane, #32-\\r", "vsri.32 vu_\\lane, vt_\\lane, #31-\\r"),
        here(
            "aes_xts_ce_encrypt_one",
            "the tweak is encrypted under the keys of the block",
            "aes_ce_encrypt_one_cipher T, «tweak_keys»",
            "keys",
        ),
        here(
            "aes_xts_ce_encrypt_one",
            "the last key of the tweak is left out",
            "eor T.16b, T.16b, K2.16b\n eor M.16b, M.16b, T.16b\n aes_ce_encrypt_one_cipher M",
            "eor M.16b, M.16b, T.16b\n aes_ce_encrypt_one_cipher M",
        ),
        here(
            "aes_xts_ce_decrypt_one",
            "the tweak is decrypted",
            "aes_ce_decrypt_one_cipher «aese, aesmc», T",
            "aesd, aesimc",
        ),
        here(
            "speck128_xts_scalar_encrypt_one",
            "the tweak is not added to x behind the cipher",
            "eor rx, rx, tx\n stp ry, rx, [xout]",
            "stp ry, rx, [xout]",
        ),
        here("speck128_xts_scalar_decrypt_one", "33 rounds are 32", "1: «tbz» rounds, #0, 2f", "b.al 2f //"),
    ]
}

fn lengths() -> Vec<Sibling> {
    let padding = |row: &str, residue: usize| {
        library(
            row,
            &format!("the padding after {residue} bytes"),
            SHA2,
            "self.buffer.as_mut()[partial] = «0x80»;",
            &format!("if partial == {residue} {{ 0x81 }} else {{ 0x80 }}"),
        )
    };
    let rest = |row: &str, bytes: usize| {
        library(
            row,
            &format!("a rest of {bytes} bytes"),
            SALSA,
            "xor(«tail», &self.block);",
            &format!("if tail.len() == {bytes} {{ tail.split_at({bytes} - 1).0 }} else {{ tail }}"),
        )
    };
    vec![
        padding("sha256_scalar", 0),
        padding("sha256_neon", 17),
        padding("sha256_ce", 63),
        padding("sha512_scalar", 111),
        padding("sha512_neon", 127),
        rest("salsa20_scalar", 1),
        rest("salsa20_neon", 33),
        rest("salsa20_neon", 63),
        library(
            "blake2s_scalar",
            "the counter at a rest of 9 bytes",
            "impls/src/blake2/engine.rs",
            LAST_BLOCK,
            &last_block("self.filled + usize::from(self.filled == 9)"),
        ),
    ]
}

fn splits() -> Vec<Sibling> {
    vec![
        library("sha256_scalar", "a clone has no buffer", SHA2, "buffer: «self.buffer», backend: self.backend", "F::ZEROS"),
        library("sha512_neon", "a clone has half a length", SHA2, "Engine { state: self.state, length: «self.length»,", "F::retreat(self.length, F::partial(self.length))"),
        library("sha256_neon", "reset keeps the length", SHA2, "self.state = *initial;\n «self.length = F::Length::default();»", ""),
        library("sha512_scalar", "reset keeps the hash value", SHA2, "«self.state = *initial;»\n self.length", "let _ = initial;"),
        library("sha256_scalar", "a part of one byte is forgotten", SHA2, "if «data.len() < room.len()» {\n room", "{ if data.len() == 1 && room.len() > 1 { return; } data.len() < room.len() }"),
        library("blake2b_neon", "a clone has no buffer", "impls/src/blake2/engine.rs", "Engine { state: self.state, buffer: «self.buffer», filled", "V::ZEROS"),
        library("blake2s_scalar", "an exported state lacks the last byte of the buffer", "impls/src/blake2/engine.rs", "«buffer[self.filled..].fill(0);»", "buffer[self.filled.saturating_sub(1)..].fill(0);"),
        library("salsa20_scalar", "a clone begins the block again", SALSA, "Engine { state: self.state, block: «self.block», ..*self }", "[0; BLOCK_BYTES]"),
        library("salsa20_neon", "a part that ends a block exactly leaves it to the next", SALSA, "let left = «(BLOCK_BYTES - self.used).min(data.len())»;", "(BLOCK_BYTES - self.used).min(data.len().saturating_sub(usize::from(data.len() == BLOCK_BYTES - self.used)))").seen_by(&["splits", "stream"]),
    ]
}

fn rare_inputs() -> Vec<Sibling> {
    let of_block = |row: &str, what: &str, condition: &str| {
        library(
            row,
            what,
            "impls/src/sha2/mod.rs",
            "«unsafe { (self.compress)(state, blocks.as_ptr(), blocks.len()) }»",
            &format!(
                "unsafe {{ (self.compress)(state, blocks.as_ptr(), blocks.len()) }}; \
                 if blocks.iter().any(|block| {{ let block = block.as_ref(); {condition} }}) {{ state.swap(0, 1); }}"
            ),
        )
    };
    let of_key = |row: &str, what: &str, condition: &str| {
        library(
            row,
            what,
            SALSA,
            "set_up(&mut engine.state);\n «engine»",
            &format!("if {{ let state = &engine.state; {condition} }} {{ engine.state[3] ^= 1; }} engine"),
        )
    };
    vec![
        of_block("sha256_scalar", "a block of zeros", "block.iter().all(|byte| *byte == 0)"),
        of_block("sha256_neon", "a block of ones", "block.iter().all(|byte| *byte == 0xff)"),
        of_block("sha512_scalar", "two words of ones", "block[16..32].iter().all(|byte| *byte == 0xff)"),
        of_block("sha256_ce", "a block with one bit", "block.iter().map(|byte| byte.count_ones()).sum::<u32>() == 1"),
        of_block(
            "sha512_neon",
            "a word with its top bit alone",
            "block.chunks_exact(8).any(|word| word == [0x80, 0, 0, 0, 0, 0, 0, 0])",
        ),
        of_key("salsa20_neon", "a key with two words of ones", "state[1] == u32::MAX && state[2] == u32::MAX"),
        of_key("salsa20_scalar", "a key with a word of the top bit alone", "state[1..5].contains(&0x8000_0000)"),
    ]
}

fn counters() -> Vec<Sibling> {
    vec![
        library(
            "salsa20_neon",
            "from the middle of the key stream on the upper word is lost",
            SALSA,
            "self.state[9] = «(self.blocks >> 32) as u32»;",
            "((self.blocks >> 32) as u32) & 0x7fff_ffff",
        ),
        Sibling::kernel(
            A64,
            "speck64_xts_scalar_encrypt",
            "eight blocks: a bit that leaves comes back at a wrong place",
        )
        .edit("eor \\u, \\u, xt, lsl #3", "eor \\u, \\u, xt, lsl #2"),
        Sibling::kernel(A64, "speck128_xts_neon_encrypt", "16 blocks: the bits that leave lose the seventh place")
            .edit("eor xt1, xt1, xt0, lsl #7", "eor xt1, xt1, xt0, lsl #6"),
        Sibling::kernel(A32, "speck64_xts_neon_encrypt", "16 blocks: the bits that leave lose the fourth place")
            .edit("eor Ul, Ul, mask, lsl #4", "eor Ul, Ul, mask, lsl #5"),
        Sibling::kernel(A64, "salsa20_ce", "the second of four blocks has the counter of the first, in its upper word")
            .edit("add v24.2d, v24.2d, v26.2d", "add v24.4s, v24.4s, v26.4s"),
    ]
}

fn tiers() -> Vec<Sibling> {
    vec![
        library(
            "sha256_scalar",
            "another tier forgets the buffer",
            SHA2,
            "pub(crate) fn set_backend(&mut self, backend: &'static Backend<F>) {\n «self.backend = backend;»",
            "self.backend = backend; self.buffer = F::ZEROS;",
        ),
        library(
            "sha512_neon",
            "another tier finds the words in another order",
            SHA2,
            "pub(crate) fn set_backend(&mut self, backend: &'static Backend<F>) {\n «self.backend = backend;»",
            "if self.backend.tier != backend.tier { self.state.swap(6, 7); } self.backend = backend;",
        ),
        library(
            "salsa20_neon",
            "another tier forgets the rest of a block",
            SALSA,
            "«self.backend = backend;»\n }",
            "self.backend = backend; self.used = BLOCK_BYTES;",
        ),
        library(
            "aes_xts_ce_encrypt",
            "the key of the tweak is left to the old tier's layout",
            XTS,
            "«C::convert(&mut self.key, backend);»\n self.backend = backend;",
            "if self.backend.tier == Tier::Generic { C::convert(&mut self.key, backend); }",
        ),
    ]
}

fn places() -> Vec<Sibling> {
    let message = |row: &str, modulo: usize, residue: usize| {
        library(
            row,
            &format!("whole blocks at an address that is {residue} modulo {modulo}"),
            SHA2,
            "let (blocks, rest) = «F::blocks(data)»;",
            &format!(
                "if data.len() > F::BLOCK_BYTES && data.as_ptr() as usize % {modulo} == {residue} {{ F::blocks(&data[1..]) }} else {{ F::blocks(data) }}"
            ),
        )
    };
    let data = |row: &str, condition: &str, what: &str| {
        library(
            row,
            what,
            SALSA,
            "let (input, output) = «whole.into_raw()»;",
            &format!(
                "{{ let (input, output) = whole.into_raw(); if {condition} {{ self.state[0] ^= 1; }} (input, output) }}"
            ),
        )
    };
    vec![
        message("sha256_scalar", 4, 1),
        message("sha256_neon", 16, 8),
        message("sha512_neon", 64, 63),
        data("salsa20_scalar", "output as usize % 8 == 3", "an output at an address that is 3 modulo 8"),
        data("salsa20_neon", "input as usize % 16 == 15", "an input at an address that is 15 modulo 16"),
        data("salsa20_neon", "input == output.cast_const()", "equal buffers"),
    ]
}

fn data_units() -> Vec<Sibling> {
    vec![
        library(
            "speck128_xts_scalar_decrypt",
            "the last two tweaks in the order of encryption, in both directions",
            XTS,
            "Direction::Decrypt => «(C::next(tweak), tweak)»,",
            "(tweak, C::next(tweak))",
        ),
        library(
            "aes_xts_ce_decrypt",
            "the same, where a byte is left",
            XTS,
            "Direction::Decrypt => «(C::next(tweak), tweak)»,",
            "if rest == 1 { (tweak, C::next(tweak)) } else { (C::next(tweak), tweak) }",
        ),
        library(
            "speck64_xts_neon_encrypt",
            "a byte too few is stolen",
            XTS,
            "output[C::BLOCK_BYTES..].copy_from_slice(«&whole.as_ref()[..rest]»);",
            "&other.as_ref()[..rest]",
        ),
        library(
            "speck64_xts_neon_encrypt",
            "no blocks before the last two",
            XTS,
            "if «!whole.is_empty()» {\n self.data",
            "whole.len() > C::BLOCK_BYTES",
        ),
        library(
            "aes_xts_ce_encrypt",
            "sectors in the other order",
            "impls/src/xts/area.rs",
            "xts.data_unit(direction, &«tweak(number)»,",
            "tweak(first + (sectors as u128 - 1) - (number - first))",
        ),
        library(
            "speck128_xts_scalar_decrypt",
            "the number of a sector in the other order of bytes",
            "impls/src/xts/area.rs",
            "let bytes = «sector.to_le_bytes()»;",
            "sector.to_be_bytes()",
        ),
        Sibling::kernel(A64, "speck128_xts_neon_encrypt", "13 blocks after 16: one tweak is taken twice")
            .edit("mov xo1, #16\n «speck128_neon_encrypt_times_x rx0, ry0»", "")
            .seen_by(&["xts"]),
    ]
}

fn positions() -> Vec<Sibling> {
    vec![
        library(
            "salsa20_scalar",
            "a seek goes to the beginning of the block",
            SALSA,
            "«self.used = inside;»",
            "self.used = BLOCK_BYTES; self.blocks -= 1; self.state[8] = self.blocks as u32; self.state[9] = (self.blocks >> 32) as u32;",
        ),
        library(
            "salsa20_neon",
            "a seek goes one byte too far",
            SALSA,
            "«self.used = inside;»",
            "self.used = inside + usize::from(inside < 63);",
        ),
        library(
            "salsa20_neon",
            "a seek to the beginning of a block keeps what was left of another",
            SALSA,
            "self.state[9] = (self.blocks >> 32) as u32;\n «self.used = BLOCK_BYTES;»",
            "if position % 64 != 0 { self.used = BLOCK_BYTES; }",
        ),
        library(
            "salsa20_scalar",
            "beyond the end the stream begins again",
            SALSA,
            "if «given > limit» { Err(KeystreamExhausted { limit, given }) } else",
            "given > limit && self.used == BLOCK_BYTES",
        ),
        library(
            "salsa20_neon",
            "the last byte cannot be had",
            SALSA,
            "if «given > limit» { Err(KeystreamExhausted { limit, given }) } else",
            "given >= limit && given != 0",
        ),
        library(
            "salsa20_scalar",
            "a seek behind the end is taken",
            SALSA,
            "if «position > limit» {\n return",
            "position > 2 * limit",
        ),
        library(
            "salsa20_neon",
            "the position inside of a block is that of its end",
            SALSA,
            "«self.blocks * BLOCK_BYTES as u128 - (BLOCK_BYTES - self.used) as u128»",
            "self.blocks * BLOCK_BYTES as u128",
        ),
    ]
}

fn lanes() -> Vec<Sibling> {
    vec![
        here(
            "sha512_ce_x2",
            "the second message is added to the first chaining value",
            "add m1s2.2d, m1s2.2d, «m1w2.2d»",
            "m0w2.2d",
        ),
        here(
            "sha512_ce_x2",
            "the second chaining value is stored over the first",
            "2: st1 {v16.2d - v19.2d}, [state0]\n st1 {v21.2d - v24.2d}, «[state1]»",
            "[state0]",
        ),
        Sibling::kernel(A32, "blake2s_neon_x4", "the fourth message gets the counter of the third")
            .edit("blake2s_neon_x4_count 3, «d27», d31", "d26"),
        Sibling::kernel(A32, "blake2s_neon_x4", "two digests change places").edit(
            "vst1.32 {d2, d3}, [r1]!\n vst1.32 {d4, d5}, [r2]!",
            "vst1.32 {d2, d3}, [r2]!\n vst1.32 {d4, d5}, [r1]!",
        ),
        library(
            "blake2s_neon_x4",
            "a message that is done takes bytes of the next",
            "impls/src/blake2/many.rs",
            "self.tail.as_mut()[..tail.len()].copy_from_slice(tail);\n self.tail_bytes = «tail.len()»;",
            "if message.len() == 65 { 2 } else { tail.len() }",
        ),
    ]
}

fn handed_back() -> Vec<Sibling> {
    vec![
        library(
            "sha256_scalar",
            "the number of bytes leaves the buffer out",
            SHA2,
            "(self.state, «F::bytes(self.length)»)\n }",
            "F::bytes(F::retreat(self.length, F::partial(self.length)))",
        ),
        library(
            "blake2s_scalar",
            "the number of bytes leaves the block of the key out",
            "impls/src/blake2/engine.rs",
            "(self.state.h, «self.length()»)",
            "V::bytes(self.state.t)",
        ),
        Sibling::kernel(A64, "speck64_xts_scalar_decrypt", "one block: the tweak is not handed back")
            .edit("b.hi 5f\n «str T0, [xtweak]»", ""),
        Sibling::kernel(A32, "speck64_xts_neon_encrypt", "the upper word of the tweak is not handed back")
            .edit("str Th, [r1, #4]\n .irp", ".irp"),
        Sibling::kernel(A64, "aes_xts_ce_encrypt", "one block: the tweak is handed back as it came")
            .edit("str M0_q, [output]\n «stp lo, hi, [tweak]»", ""),
        Sibling::kernel(A32, "salsa20_scalar", "the counter is handed back one too great")
            .edit("adds lr, lr, #1\n str lr", "adds lr, lr, #2\n str lr")
            .seen_by(&["handed-back", "lengths"]),
    ]
}

fn surroundings() -> Vec<Sibling> {
    let nth = |n: usize| {
        format!(
            "{{ static N: core::sync::atomic::AtomicUsize = core::sync::atomic::AtomicUsize::new(0); \
             if N.fetch_add(1, core::sync::atomic::Ordering::Relaxed) % {n} == {n} - 1 {{ 0x81 }} else {{ 0x80 }} }}"
        )
    };
    let padding = "self.buffer.as_mut()[partial] = «0x80»;";
    vec![
        library("sha256_scalar", "every second message", SHA2, padding, &nth(2)),
        library("sha512_neon", "every 13th message", SHA2, padding, &nth(13)),
        library(
            "sha256_neon",
            "on some stacks",
            SHA2,
            padding,
            "if core::ptr::from_ref(&partial) as usize & 64 != 0 { 0x80 } else { 0x81 }",
        ),
        library(
            "salsa20_scalar",
            "every seventh block",
            SALSA,
            "«self.advance(1);»",
            "self.advance(1); { static N: core::sync::atomic::AtomicUsize = core::sync::atomic::AtomicUsize::new(0); if N.fetch_add(1, core::sync::atomic::Ordering::Relaxed) % 7 == 6 { self.block[5] ^= 1; } }",
        ),
        library(
            "aes_xts_ce_encrypt",
            "on some stacks",
            XTS,
            "let mut encrypted = «*tweak»;",
            "{ let mut tweak = *tweak; if core::ptr::from_ref(&tweak) as usize & 64 != 0 { tweak.as_mut()[0] ^= 1; } tweak }",
        ),
        Sibling::kernel(A64, "sha256_ce", "on some stacks").edit(
            "st1 {v0.4s, v1.4s}, [state]",
            "mov x9, sp\n tbz x9, #6, 3f\n add v0.4s, v0.4s, v1.4s\n3: st1 {v0.4s, v1.4s}, [state]",
        ),
    ]
}

fn errors() -> Vec<Sibling> {
    vec![
        library(
            "aes_xts_ce_encrypt",
            "a data unit may have any length",
            XTS,
            "if «given > limit» {\n return Err(XtsError::DataUnitTooLong",
            "false && given > limit",
        ),
        library(
            "speck128_xts_scalar_encrypt",
            "a data unit without a byte is taken",
            XTS,
            "if «given < C::BLOCK_BYTES» {",
            "given < C::BLOCK_BYTES && given != 0",
        ),
        library(
            "aes_xts_ce_encrypt",
            "a long tweak is cut",
            XTS,
            "«C::block(tweak)».ok_or(",
            "C::block(tweak.get(..C::BLOCK_BYTES).unwrap_or(tweak))",
        ),
        library(
            "speck64_xts_neon_encrypt",
            "a partial sector is left as it is",
            "impls/src/xts/area.rs",
            "if «!data.len().is_multiple_of(sector_bytes)» {",
            "false",
        ),
        library(
            "sha256_scalar",
            "the last byte that is allowed is refused",
            SHA2,
            "if «given > F::MAX_MESSAGE_BYTES» {",
            "given >= F::MAX_MESSAGE_BYTES",
        ),
        library(
            "sha512_scalar",
            "messages beyond the limit are taken",
            SHA2,
            "if «given > F::MAX_MESSAGE_BYTES» {",
            "false && given > 0",
        ),
        library(
            "sha256_neon",
            "the version of a state is not looked at",
            SHA2,
            "if «head[0] != STATE_VERSION» {",
            "false",
        ),
        library(
            "sha512_neon",
            "bytes of the buffer that do not count are not looked at",
            SHA2,
            "if «buffer[buffered..].iter().any(|byte| *byte != 0)» {\n return",
            "false",
        ),
        library(
            "blake2s_scalar",
            "a state whose buffer is too full is taken",
            "impls/src/blake2/engine.rs",
            "if buffered > V::BLOCK_BYTES || «buffer[buffered..].iter().any(|byte| *byte != 0)» {",
            "false",
        ),
        library(
            "blake2s_neon_x4",
            "where messages and outputs differ in number, the surplus is left out",
            "impls/src/blake2/many.rs",
            "if «messages.len() != outputs.len()» {\n return Err(LaneCountError { messages: messages.len(), outputs: outputs.len() });\n }\n let initial",
            "false",
        ),
    ]
}

fn parameters() -> Vec<Sibling> {
    let of =
        |row: &str, what: &str, find: &str, replace: &str| library(row, what, "reference/src/blake2.rs", find, replace);
    vec![
        of("blake2b_scalar", "the length of the digest is missing", "block[0] = «parameters.digest_length»;", "64"),
        of("blake2s_scalar", "the length of the key is missing", "block[1] = «parameters.key_length»;", "0"),
        library(
            "blake2s_scalar",
            "the next message has no key",
            "impls/src/blake2/engine.rs",
            "(self.buffer, self.filled) = match «key» {",
            "if self.length() != 0 { None } else { key }",
        ),
    ]
}

fn of_machine() -> Vec<Entry> {
    vec![
        entry("bounds", "accesses beside a buffer", "OpenSSL, AWS-LC, OP-TEE, s2n-bignum", &["bounds"], bounds()),
        entry(
            "alignment",
            "an address that is rounded, or must not be odd",
            "wolfSSL, libgcrypt",
            &["alignment"],
            alignment(),
        ),
        entry("abi", "what belongs to the caller", "openssl#23233, leancrypto", &["abi"], abi()),
        entry(
            "undefined-input",
            "what the contract leaves undefined",
            "libgcrypt 761a1a0d",
            &["undefined-input"],
            undefined_input(),
        ),
        entry("residue", "secrets that are left behind", "libgcrypt 726e992b", &["residue"], residue()),
        entry("count-width", "a count that is cut", "libgcrypt 9ee2d56e", &["count-width"], count_width()),
        entry(
            CONSTANT_TIME,
            "a branch, an address or a division that depends on a secret",
            "what traces are for",
            &[CONSTANT_TIME],
            constant_time(),
        ),
        entry(
            BOUNDS,
            "accesses that no guard page sees",
            "s2n-bignum#443, aws-lc#2286, Go 17499",
            &[BOUNDS],
            trace_bounds(),
        ),
        entry(COVERAGE, "instructions that nobody executes", "libcrux#1220", &[COVERAGE], coverage()),
    ]
}

fn bounds() -> Vec<Sibling> {
    vec![
        here(
            "sha512_ce_x2",
            "a byte before the first state is written",
            "ld1 {v0.2d - v3.2d}, [constants] \n ld1 {v4.2d",
            "sturb wzr, [state0, #-1]\n ld1 {v0.2d - v3.2d}, [constants]\n ld1 {v4.2d",
        ),
        here(
            "sha512_ce_x2",
            "a byte behind the second state is written",
            "ld1 {v0.2d - v3.2d}, [constants] \n ld1 {v4.2d",
            "strb wzr, [state1, #64]\n ld1 {v0.2d - v3.2d}, [constants]\n ld1 {v4.2d",
        ),
        there(
            "sha512_neon",
            "a byte behind the state is written",
            "vadd.i64 ad01, ad01, X0",
            "strb r12, [state, #64]\n vadd.i64 ad01, ad01, X0",
        ),
        there(
            "speck64_xts_neon_encrypt",
            "a byte of the keys is written",
            "mov poly, #0x1b\n subs left, left, #16",
            "ldrb temp, [first]\n strb temp, [first]\n mov poly, #0x1b\n subs left, left, #16",
        ),
    ]
}

fn alignment() -> Vec<Sibling> {
    vec![
        here(
            "sha256_ce",
            "the message's address is rounded down",
            "cbz count, 9f",
            "cbz count, 9f\n and blocks, blocks, #0xfffffffffffffffc",
        ),
        there(
            "speck128_xts_neon_encrypt",
            "ldm on the input of one block",
            "ldr yl, [input], #4\n ldr yh, [input], #4",
            "ldm input!, {yl, yh}",
        ),
        there("blake2s_scalar", "the message's address is rounded down", "mov block, r1", "bic block, r1, #3"),
        there(
            "aes_xts_ce_decrypt",
            "stm on the tweak",
            "vst1.8 {d24-d25}, [tweak]",
            "vmov tw0, tw1, d24\n vmov tw2, tw3, d25\n stm tweak, {tw0, tw1, tw2, tw3}",
        ),
    ]
}

fn abi() -> Vec<Sibling> {
    vec![
        here("blake2b_neon", "FPCR", "b.ne 1b", "b.ne 1b\n mrs x5, fpcr\n eor x5, x5, #0x1000000\n msr fpcr, x5"),
        here("sha256_scalar", "SP 16 bytes lower", "ldp x29, x30, [sp], #128", "ldp x29, x30, [sp], #112"),
        there(
            "sha512_neon",
            "FPSCR's rounding",
            "vpop {d8-d15}",
            "vmrs r12, fpscr\n eor r12, r12, #0x400000\n vmsr fpscr, r12\n vpop {d8-d15}",
        ),
        there("sha256_scalar", "SP four bytes higher", "bx lr\n .cfi_endproc", "add sp, sp, #4\n bx lr\n .cfi_endproc"),
        there(
            "salsa20_neon",
            "eight bytes more of the stack than declared",
            "sub sp, sp, #208",
            "str r12, [sp, #-216]\n sub sp, sp, #208",
        ),
        there("blake2s_scalar", "r10", "pop {r0, r2-r11, lr}", "str r0, [sp, #36]\n pop {r0, r2-r11, lr}"),
    ]
}

fn undefined_input() -> Vec<Sibling> {
    vec![
        here(
            "blake2b_neon",
            "x7",
            "stp q24, q8, [state]",
            "fmov d0, x7\n eor ra0.16b, ra0.16b, v0.16b\n stp q24, q8, [state]",
        ),
        here(
            "sha256_ce",
            "the stack below SP",
            "st1 {v0.4s, v1.4s}, [state]",
            "ldur w9, [sp, #-8]\n mov v1.s[3], w9\n st1 {v0.4s, v1.4s}, [state]",
        )
        .seen_by(&["undefined-input", "abi"]),
        here(
            "sha256_ce",
            "the address of the state",
            "st1 {v0.4s, v1.4s}, [state]",
            "mov v1.s[3], w0\n st1 {v0.4s, v1.4s}, [state]",
        ),
        there("sha256_scalar", "r3 at entry", "ldm r0, {r4-r11}", "ldm r0, {r4-r11}\n eor r4, r4, r3"),
        there(
            "salsa20_scalar",
            "what the caller's stack holds",
            "ldmia r12!, {r0-r7}",
            "ldmia r12!, {r0-r7}\n ldr lr, [sp, #132]\n eor r4, r4, lr",
        ),
    ]
}

fn residue() -> Vec<Sibling> {
    vec![
        here("sha512_ce_x2", "v0 to v3", "ld1 {v0.2d - v3.2d}, [constants]\n ld1 {v4.2d", "ld1 {v4.2d"),
        here("salsa20_ce", "v16", ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 16,", ".irp n, 0, 1, 2, 3, 4, 5, 6, 7,"),
        here("blake2b_neon", "v31", "26, 27, 28, 29, 30, 31\n movi", "26, 27, 28, 29, 30\n movi"),
        here(
            "speck64_xts_neon_encrypt",
            "what only the wide loop uses on the stack",
            ".irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n stp",
            ".irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14\n stp",
        ),
        there(
            "speck128_xts_scalar_encrypt",
            "r2 and r3",
            ".irp n, 0, 1, 2, 3, 4, 5, 6, 7\n mov r\\n, #0",
            ".irp n, 0, 1, 4, 5, 6, 7\n mov r\\n, #0",
        ),
        there("speck64_xts_neon_decrypt", "32 bytes of the stack", ".rept 8", ".rept 7"),
        there("blake2s_neon_x4", "16 bytes of the stack", ".rept 12", ".rept 11"),
        here("aes_xts_ce_encrypt_one", "v5", ".irp n, 0, 1, 2, 3, «4, 5»", "4"),
        here("aes_xts_ce_decrypt_one", "v0", ".irp n, «0,» 1, 2, 3, 4, 5", ""),
        here("speck128_xts_scalar_encrypt_one", "x13", ".irp n, 6, 7, 8, 9, 10, 11, «12, 13»", "12"),
    ]
}

fn count_width() -> Vec<Sibling> {
    vec![
        here(
            "sha256_scalar",
            "32 bits, where the count is kept",
            "str xcount, [sp, #104]",
            "mov w2, w2\n str xcount, [sp, #104]",
        )
        .edit("sub xcount, xcount, #1", "sub xcount, xcount, #1\n and xcount, xcount, #0xffffffff"),
        here(
            "speck128_xts_scalar_encrypt",
            "60 bits",
            "cbz xcount, 9f",
            "and xcount, xcount, #0x0fffffffffffffff\n cbz xcount, 9f",
        ),
        here("blake2s_scalar", "31 bits", "cbz x2, 9f", "and x2, x2, #0x7fffffff\n cbz x2, 9f"),
        Sibling::kernel(A32, "salsa20_scalar", "16 bits")
            .edit("cmp r3, #0\n bxeq lr", "uxth r3, r3\n cmp r3, #0\n bxeq lr"),
        Sibling::kernel(A32, "speck64_xts_neon_encrypt", "28 bits")
            .edit("cmp r12, #0\n bxeq lr", "bics r12, r12, #0xf0000000\n bxeq lr"),
    ]
}

fn constant_time() -> Vec<Sibling> {
    vec![
        here(
            "aes_xts_ce_decrypt",
            "a branch on a bit of the tweak",
            "mov lo, #0\n mov hi, #0\n mov reduce, #0",
            "tbz lo, #0, 1f\n mov hi, #0\n1: mov reduce, #0",
        ),
        here(
            "aes_xts_ce_decrypt",
            "a branch on the tweak's upper half",
            "mov lo, #0\n mov hi, #0\n mov reduce, #0",
            "tbz hi, #63, 1f\n mov lo, #0\n1: mov reduce, #0",
        ),
        here(
            "aes_xts_ce_encrypt",
            "an address from the tweak, 16 bytes alone",
            "mov lo, #0\n mov hi, #0\n mov reduce, #0\n mov carry",
            "and lo, lo, #7\n ldrb w7, [tweak, lo]\n mov reduce, #0\n mov carry",
        ),
        here("aes_xts_ce_decrypt", "a division of the tweak's halves", "mov lo, #0\n", "udiv lo, lo, hi\n"),
        here(
            "salsa20_scalar",
            "a branch on a word of the key stream",
            ".irp n, 5, 6, 7, 8",
            "tbz w5, #0, 1f\n mov x6, xzr\n1:\n .irp n, 7, 8",
        ),
        here(
            "salsa20_scalar",
            "an address from a word of the key stream",
            ".irp n, 5, 6, 7, 8",
            "and x5, x5, #31\n ldrb w6, [state, x5]\n .irp n, 7, 8",
        ),
        here(
            "sha256_scalar",
            "a branch on the chaining value",
            ".irp r, 4, 5, 6, 7",
            "cbz w4, 3f\n tbz w4, #5, 3f\n mov x6, #0\n3:\n .irp r, 7",
        ),
        there(
            "sha256_scalar",
            "a branch on the chaining value",
            "mov r0, #0\n mov r1, #0\n mov r2, #0\n mov r3, #0\n stm",
            "tst r4, #1\n beq 1f\n mov r2, #0\n1: mov r3, #0\n stm",
        ),
        there(
            "sha256_scalar",
            "a load that is done only for some chaining values",
            "mov r2, #0\n mov r3, #0\n stm",
            "tst r4, #1\n ldrne r3, [sp]\n stm",
        ),
        there(
            "speck128_xts_scalar_encrypt",
            "an address from a block",
            ".irp n, 0, 1, 2, 3, 4, 5, 6, 7\n mov r\\n, #0",
            "and r0, r0, #15\n ldrb r1, [sp, r0]\n .irp n, 2, 3, 4, 5, 6, 7\n mov r\\n, #0",
        ),
    ]
}

fn trace_bounds() -> Vec<Sibling> {
    vec![
        here(
            "aes_xts_ce_decrypt",
            "the byte before the round keys is read",
            "mov c_lo, #0",
            "ldurb w10, [layout, #-1]",
        ),
        here("aes_xts_ce_decrypt", "the byte behind the tweak is read", "mov c_lo, #0", "ldrb w10, [tweak, #16]"),
        here("aes_xts_ce_decrypt", "the caller's stack is read", "mov c_lo, #0", "ldr c_lo, [sp, #64]"),
        here("aes_xts_ce_decrypt", "a word below SP is written", "mov c_lo, #0", "stur xzr, [sp, #-8]"),
        here("aes_xts_ce_encrypt", "a word below SP is read", "mov c_lo, #0", "ldur c_lo, [sp, #-16]"),
        here("speck128_xts_neon_encrypt", "a byte of the keys is written", "mov x\\n, #0", "strb wzr, [xkeys]"),
        here("sha256_ce", "a byte of the message is written", "movi v18.4s, #0", "sturb wzr, [blocks, #-1]"),
        here("salsa20_neon", "a literal behind the last is read", "ldr q28, «10f+32»", "10f+48"),
        there("sha512_neon", "the byte behind the state is read", "vmov.i32 q15, #0", "ldrb r12, [state, #64]"),
        there("sha512_neon", "the caller's stack is read", "vmov.i32 q15, #0", "ldr r12, [sp, #64]"),
        there("aes_xts_ce_encrypt", "a word below SP is written", "vmov T0, T3\n b 8f", "str r8, [sp, #-4]\n b 8f"),
    ]
}

fn coverage() -> Vec<Sibling> {
    vec![
        here(
            "aes_xts_ce_decrypt",
            "an instruction is jumped over",
            "mov c_lo, #0\n mov c_hi, #0",
            "b 1f\n mov c_hi, #0\n1:",
        ),
        here(
            "speck64_xts_scalar_encrypt",
            "the wide loop is never entered",
            "subs xcount, xcount, #8\n «b.lo» 3f",
            "b",
        ),
        here(
            "sha256_ce",
            "an instruction is jumped over",
            "movi v17.4s, #0\n movi v18.4s, #0",
            "b 9f\n movi v18.4s, #0",
        ),
        Sibling::kernel(A32, "sha512_neon", "an instruction is jumped over")
            .edit("vmov.i32 q14, #0\n vmov.i32 q15, #0", "b 1f\n vmov.i32 q15, #0\n1:"),
    ]
}
