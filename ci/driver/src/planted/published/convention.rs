//! What is computed, by which kernel, and for which message.

use super::super::bug::{Entry, Sibling, entry, here, none, there};
use super::{A32, A64};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        none(
            "B06",
            "code for little-endian machines on a big-endian one",
            "openssl#20796, #20797, #27197",
            "on big-endian targets the assembly is not built in (impls/build.rs), and the portable tier serves",
        ),
        entry(
            "B07",
            "wrong in one direction",
            "cryptopp#808 (Speck128 by NEON, decryption on ARMv7)",
            &["kat", "differential", "xts"],
            one_direction(),
        ),
        entry(
            "B20",
            "bits of the auxiliary vector are mixed up, or a feature is not asked for",
            "libgcrypt 6b6bfd57 and 1e72c50f",
            &["dispatch"],
            detection(),
        ),
        entry("B21", "right results by the slow way", "libgcrypt 68861ae5, openssl#13157", &["coverage"], slow_ways()),
        entry(
            "B31",
            "the scheduling of several messages",
            "isa-l_crypto#87, 7df6a1e, fbe3e34, a8955c0, 18cd4e5",
            &["many"],
            scheduling(),
        ),
        entry(
            "B32",
            "a block is compressed before it is known whether it is the last",
            "Konscious.Security.Cryptography#23 (BLAKE2)",
            &["lengths", "parameters", "splits", "kat", "many"],
            last_blocks(),
        ),
        entry("B33", "a slip of arithmetic", "ethrex#4308, #4336 (BLAKE2b by NEON)", &["kat"], arithmetic()),
        entry(
            "B36",
            "instructions beyond the declared features, or a fallback that nobody ran",
            "libcrux#1220, #1222; wolfSSL#11123",
            &["features"],
            features(),
        ),
        entry(
            "B42",
            "the parameter block has a number in the wrong order or place",
            "bpo-31933, libb2#12 (BLAKE2)",
            &["kat", "parameters"],
            parameter_blocks(),
        ),
        entry(
            "B43",
            "the words of a block are taken in the other order, in both directions",
            "testmgr.h of early Speck patches, cryptopp#585, #932",
            &["kat"],
            word_order(),
        ),
    ]
}

fn one_direction() -> Vec<Sibling> {
    vec![
        here(
            "speck128_xts_neon_decrypt",
            "the order of bytes of the other rotation",
            ".byte 7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14",
            ".byte 1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8",
        ),
        here(
            "speck64_xts_neon_encrypt",
            "the order of bytes of the other rotation",
            ".byte 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12",
            ".byte 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14",
        ),
        here("speck128_xts_neon_decrypt", "sli for sri", "sri vy2.2d, vt2.2d, #3", "sli vy2.2d, vt2.2d, #3"),
        here(
            "speck128_xts_neon_decrypt",
            "a rotation by one bit more, in the vectors",
            "shl vy1.2d, vt1.2d, #61",
            "shl vy1.2d, vt1.2d, #60",
        ),
        here(
            "speck128_xts_neon_decrypt",
            "the vectors walk the round keys from the wrong end by one",
            "ldr rk, [xkp, #-8]!\n ld1r {vk.2d}, [xkp]",
            "ld1r {vk.2d}, [xkp]\n ldr rk, [xkp, #-8]!",
        ),
        here(
            "speck128_xts_neon_decrypt",
            "one block: the round keys are walked from the wrong end by one",
            "ldr rk, [xkp, #-8]!\n cmp xkp, xkeys\n eor ry0, ry0, rx0, ror #56 \n eor rx0",
            "ldr rk, [xkp], #-8\n cmp xkp, xkeys\n eor ry0, ry0, rx0, ror #56\n eor rx0",
        ),
        here(
            "speck64_xts_scalar_decrypt",
            "a subtraction becomes an addition",
            "sub rx6, rx6, ry6",
            "add rx6, rx6, ry6",
        ),
        there("speck64_xts_neon_decrypt", "vsli for vsri", "vsri.32 Y\\j, Z\\j, #3", "vsli.32 Y\\j, Z\\j, #3"),
        there(
            "speck64_xts_neon_decrypt",
            "the order of bytes of the other rotation",
            "movw r10, #0x0003\n movt r10, #0x0201\n movw r12, #0x0407\n movt r12, #0x0605",
            "movw r10, #0x0201\n movt r10, #0x0003\n movw r12, #0x0605\n movt r12, #0x0407",
        ),
        there("speck64_xts_neon_decrypt", "one block: a rotation by one bit less", "ror y, y, #3", "ror y, y, #2"),
        there(
            "aes_xts_ce_decrypt",
            "the last round has the mixing of the others",
            "aesd.8 \\B, Kb",
            "aesd.8 \\B, Kb\n aesimc.8 \\B, \\B",
        ),
        here("aes_xts_ce_decrypt", "a round key is taken twice", "aes_ce_decrypt_round K7", "aes_ce_decrypt_round K6"),
    ]
}

const CPU: &str = "impls/src/cpu.rs";

fn detection() -> Vec<Sibling> {
    let bit =
        |what: &str, find: &str, replace: &str| Sibling::library(A32, "sha256_ce", what).edit_in(CPU, find, replace);
    let unasked = |architecture, row: &str, what: &str, file: &str| {
        Sibling::library(architecture, row, what).edit_in(
            file,
            "fn features(&self) -> &'static [Feature] {\n «self.features»\n }",
            "&[]",
        )
    };
    vec![
        bit("AES by the bit of PMULL", "if «hwcap2 & 1 << 0 != 0» {", "hwcap2 & 1 << 1 != 0"),
        bit("AES and PMULL change places", "if «hwcap2 & 1 << 0 != 0» {", "hwcap2 & 1 << 1 != 0").edit_in(
            CPU,
            "if «hwcap2 & 1 << 1 != 0» {",
            "hwcap2 & 1 << 0 != 0",
        ),
        bit("SHA-2 by the bit of SHA-1", "if «hwcap2 & 1 << 3 != 0» {", "hwcap2 & 1 << 2 != 0"),
        bit("SHA-2 by the bit of CRC32", "if «hwcap2 & 1 << 3 != 0» {", "hwcap2 & 1 << 4 != 0"),
        bit("the number of a bit is taken for a mask", "if «hwcap2 & 1 << 3 != 0» {", "hwcap2 & 3 != 0"),
        bit(
            "the number of a bit is taken for a mask, in the first word",
            "if «hwcap & 1 << 12 != 0» {",
            "hwcap & 12 != 0",
        ),
        bit("a bit counts only where no other is set", "if «hwcap2 & 1 << 0 != 0» {", "hwcap2 == 1 << 0"),
        bit("SHA-2 from the first word", "if «hwcap2 & 1 << 3 != 0» {", "hwcap & 1 << 3 != 0"),
        bit("NEON from the second word", "if «hwcap & 1 << 12 != 0» {", "hwcap2 & 1 << 12 != 0"),
        unasked(A32, "sha256_neon", "kernels of SHA-2 are taken whatever the CPU has", "impls/src/sha2/mod.rs"),
        unasked(A64, "blake2s_ce", "kernels of BLAKE2 are taken whatever the CPU has", "impls/src/blake2/mod.rs"),
        unasked(A32, "aes_xts_neon_encrypt", "kernels of XTS are taken whatever the CPU has", "impls/src/xts/mod.rs"),
        Sibling::library(A64, "aes_xts_ce_encrypt", "a missing feature is taken for none").edit_in(
            "impls/src/cpu.rs",
            "needed.iter().copied().find(|&feature| «!self.contains(feature)»)",
            "!self.contains(feature) && feature != Feature::Aes",
        ),
    ]
}

fn slow_ways() -> Vec<Sibling> {
    let here =
        |kernel: &str, find: &str| Sibling::kernel(A64, kernel, "the wide loop is never entered").edit(find, "b");
    let there =
        |kernel: &str, find: &str| Sibling::kernel(A32, kernel, "the wide loop is never entered").edit(find, "b");
    vec![
        here("salsa20_neon", "cmp count, #3\n «b.lo» 6f"),
        here("salsa20_ce", "cmp count, #5\n «b.lo» 6f"),
        there("salsa20_neon", "cmp r3, #5\n «blo» 6f"),
        here("speck128_xts_neon_decrypt", "subs xcount, xcount, #16\n «b.lo» 3f"),
        here("speck64_xts_neon_encrypt", "subs xcount, xcount, #32\n «b.lo» 3f"),
        here("speck64_xts_scalar_decrypt", "subs xcount, xcount, #8\n «b.lo» 3f"),
        Sibling::kernel(A64, "aes_xts_ce_encrypt", "the way for one block is never taken")
            .edit("cmp count, #1\n «b.ne» 5f", "b"),
    ]
}

const LANES: &str = "impls/src/lanes.rs";

fn scheduling() -> Vec<Sibling> {
    let lanes = |row: &str, what: &str, find: &str, replace: &str| {
        Sibling::library(A32, row, what).edit_in(LANES, find, replace)
    };
    let four = "blake2s_neon_x4";
    let pair = |what: &str, find: &str, replace: &str| {
        Sibling::library(A64, "sha256_ce_x2", what).edit_in("impls/src/sha2/many.rs", find, replace)
    };
    vec![
        lanes(four, "it never ends when no message waits", "None => «busy = false»,", "()"),
        lanes(
            four,
            "a message that waits is forgotten when a lane is free",
            "Some(job) => {\n lane.finish();\n «lane.begin(job);»",
            "drop(job);",
        ),
        lanes(four, "the digest is lost where another message takes the lane", "Some(job) => {\n «lane.finish();»", ""),
        lanes(four, "what is left in the lanes is not finished", "for lane in &mut lanes {\n «alone(lane);»", ""),
        lanes(four, "what is left in the lanes is not handed out", "alone(lane);\n «lane.finish();»\n }\n } else", ""),
        Sibling::library(A32, four, "the lanes' count is that of the longest").edit_in(
            "impls/src/blake2/many.rs",
            "let count = «lanes.iter().map(|lane| lane.body.len()).min().unwrap_or_default()»;",
            "lanes.iter().map(|lane| lane.body.len()).max().unwrap_or_default()",
        ),
        Sibling::library(A32, four, "an empty message is done before it has begun").edit_in(
            "impls/src/blake2/many.rs",
            "self.tail_bytes = tail.len();\n self.done = «false»;",
            "message.is_empty()",
        ),
        Sibling::library(A32, four, "a last block counts whole").edit_in(
            "impls/src/blake2/many.rs",
            "V::bytes(self.state.t).wrapping_add(«self.tail_bytes as u128»)",
            "V::BLOCK_BYTES as u128",
        ),
        pair(
            "the second lane advances by a block less",
            "first.advance(count);\n «second.advance(count);»",
            "second.advance(count - usize::from(count > 1));",
        ),
        pair(
            "an empty rest gets no block",
            "self.tail_left = «if rest.len() < field { 1 } else { 2 }»;",
            "if rest.is_empty() { 0 } else if rest.len() < field { 1 } else { 2 }",
        ),
        pair(
            "a rest that needs two blocks gets one",
            "self.tail_left = «if rest.len() < field { 1 } else { 2 }»;",
            "if rest.len() <= field { 1 } else { 2 }",
        ),
    ]
}

fn last_blocks() -> Vec<Sibling> {
    const ENGINE: &str = "impls/src/blake2/engine.rs";
    let engine = |row: &str, what: &str, find: &str, replace: &str| {
        Sibling::library(A32, row, what).edit_in(ENGINE, find, replace)
    };
    vec![
        engine("blake2s_scalar", "a part that fills the buffer", "if «data.len() > room» {", "data.len() >= room")
            .edit_in(
                ENGINE,
                "let whole = «(data.len() - 1) / V::BLOCK_BYTES»;",
                "data.len().saturating_sub(1) / V::BLOCK_BYTES",
            ),
        engine(
            "blake2b_neon",
            "the whole blocks of a part",
            "let whole = «(data.len() - 1) / V::BLOCK_BYTES»;",
            "data.len() / V::BLOCK_BYTES",
        ),
        engine("blake2b_scalar", "both", "if «data.len() > room» {", "data.len() >= room").edit_in(
            ENGINE,
            "let whole = «(data.len() - 1) / V::BLOCK_BYTES»;",
            "data.len() / V::BLOCK_BYTES",
        ),
        engine(
            "blake2s_neon",
            "a part that fills an empty buffer",
            "if «data.len() > room» {",
            "data.len() > room || self.filled == 0 && data.len() == room",
        )
        .edit_in(ENGINE, "let whole = «(data.len() - 1) / V::BLOCK_BYTES»;", "data.len() / V::BLOCK_BYTES"),
        engine(
            "blake2s_scalar",
            "the block of the key",
            "(*key, «V::BLOCK_BYTES»)",
            "{ self.backend.compress(&mut self.state, core::slice::from_ref(key), V::BLOCK_BYTES); 0 }",
        ),
        Sibling::library(A32, "blake2s_scalar", "a stripe of the tree").edit_in(
            "impls/src/blake2/tree.rs",
            "let needed = «2 * Self::STRIPE - V::BLOCK_BYTES + 1»;",
            "2 * Self::STRIPE - V::BLOCK_BYTES",
        ),
        Sibling::library(A32, "blake2s_neon_x4", "of several messages").edit_in(
            "impls/src/blake2/many.rs",
            "let whole = «message.len().saturating_sub(1) / V::BLOCK_BYTES»;",
            "message.len() / V::BLOCK_BYTES",
        ),
    ]
}

fn arithmetic() -> Vec<Sibling> {
    vec![
        here("blake2b_neon", "a rotation by 1 for one by 63", "sri rb0.2d, t0.2d, #63", "sri rb0.2d, t0.2d, #1"),
        here("blake2b_neon", "a rotation by 62 for one by 63", "sri rb1.2d, t1.2d, #63", "sri rb1.2d, t1.2d, #62"),
        here(
            "blake2b_neon",
            "the diagonals turn the other way",
            "ext ra0_turned.16b, ra1.16b, ra0.16b, #8",
            "ext ra0_turned.16b, ra0.16b, ra1.16b, #8",
        ),
        here(
            "blake2b_neon",
            "the rotation by 24 turns by 40",
            ".byte 3, 4, 5, 6, 7, 0, 1, 2, 11, 12, 13, 14, 15, 8, 9, 10",
            ".byte 5, 6, 7, 0, 1, 2, 3, 4, 13, 14, 15, 8, 9, 10, 11, 12",
        ),
        here(
            "blake2b_neon",
            "two words of the message change places in the last round",
            "blake2b_neon_round 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0",
            "blake2b_neon_round 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 0, 13",
        ),
        here(
            "blake2s_scalar",
            "a rotation by 16 for one by 12",
            "eor w\\b1, w\\b1, w\\c1, ror #\\r2",
            "eor w\\b1, w\\b1, w\\c1, ror #\\r1",
        ),
        there("blake2s_neon", "a rotation by 13 and 20", "vshr.u32 vb, x, #12", "vshr.u32 vb, x, #13"),
        there("blake2s_neon", "a rotation that leaves bits out", "vsli.32 vb, x, #25", "vshl.i32 vb, x, #25"),
        here("sha256_ce", "a constant", "0x72be5d74, 0x80deb1fe", "0x72be5d74, 0x80deb1fd"),
        here("salsa20_scalar", "a rotation by 8 for one by 7", "\\do 0, 7, 4, 0, 12", "\\do 0, 8, 4, 0, 12"),
        there(
            "sha512_neon",
            "a rotation of Sigma1",
            "vshr.u64 \\g, \\e, #18\n vsli.64 \\x, \\e, #50\n vsli.64 Ul",
            "vshr.u64 \\g, \\e, #17\n vsli.64 \\x, \\e, #50\n vsli.64 Ul",
        ),
        there(
            "sha256_scalar",
            "Maj for Ch",
            "bic \\t, \\t, \\e\n eor \\bc, \\b, \\b, ror #11",
            "and \\t, \\t, \\e\n eor \\bc, \\b, \\b, ror #11",
        ),
    ]
}

fn features() -> Vec<Sibling> {
    vec![
        here(
            "salsa20_neon",
            "XAR for an EOR, which computes the same",
            "eor v\\a\\().16b, v\\a\\().16b, v29.16b",
            ".arch_extension sha3\n xar v\\a\\().2d, v\\a\\().2d, v29.2d, #0",
        ),
        here(
            "speck128_xts_neon_decrypt",
            "XAR for a rotation, which computes the same",
            "eor vx0.16b, vx0.16b, vk.16b",
            ".arch_extension sha3\n xar vx0.2d, vx0.2d, vk.2d, #0",
        ),
        here(
            "speck64_xts_neon_encrypt",
            "XAR for an EOR, which computes the same",
            "eor vx2.16b, vx2.16b, vk.16b",
            ".arch_extension sha3\n xar vx2.2d, vx2.2d, vk.2d, #0",
        ),
        here(
            "blake2b_neon",
            "XAR for an EOR, which computes the same",
            "eor rb1.16b, rb1.16b, rd1.16b",
            ".arch_extension sha3\n xar rb1.2d, rb1.2d, rd1.2d, #0",
        ),
        here(
            "sha256_scalar",
            "a vector instruction in a kernel of integers",
            "sub xcount, xcount, #1",
            "movi v0.2d, #0\n sub xcount, xcount, #1",
        )
        .edit("hint #34", ""),
        here(
            "aes_xts_ce_decrypt",
            "an instruction of SHA-2",
            "mov reduce, #0",
            ".arch_extension sha2\n sha256su0 v0.4s, v0.4s",
        ),
        Sibling::kernel(A32, "sha256_scalar", "a vector instruction in a kernel of integers")
            .edit("mov r3, #0\n stm sp!", ".fpu neon\n vmov.i32 d16, #0\n stm sp!"),
        Sibling::kernel(A32, "speck64_xts_neon_decrypt", "an instruction of AES in a kernel of NEON")
            .edit("mov r12, sp\n .rept 8", ".arch armv8-a\n .fpu crypto-neon-fp-armv8\n aesimc.8 q0, q0\n .rept 8"),
        here(
            "blake2b_neon",
            "the other way to rotate, wrong by one bit",
            "sri rb0.2d, t0.2d, #63",
            "sri rb0.2d, t0.2d, #62",
        )
        .seen_by(&["kat"]),
        here(
            "speck128_xts_neon_encrypt",
            "the other way to rotate, with a table for the other direction",
            ".byte 1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8",
            ".byte 7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14",
        )
        .seen_by(&["kat"]),
    ]
}

fn parameter_blocks() -> Vec<Sibling> {
    let of = |row: &str, what: &str, find: &str, replace: &str| {
        Sibling::library(A32, row, what).edit_in("reference/src/blake2.rs", find, replace)
    };
    let offset = "let offset = «parameters.node_offset.to_le_bytes()»;";
    vec![
        of(
            "blake2s_scalar",
            "the node offset in the other order of bytes",
            offset,
            "parameters.node_offset.to_be_bytes()",
        ),
        of(
            "blake2b_scalar",
            "the node offset in the other order of bytes",
            offset,
            "parameters.node_offset.to_be_bytes()",
        ),
        of("blake2b_neon", "the node offset in other places", offset, "(parameters.node_offset << 8).to_le_bytes()"),
        of(
            "blake2s_scalar",
            "the node offset has eight bytes in BLAKE2s",
            "let offset_bytes = «if W::BITS == 64 { 8 } else { 6 }»;",
            "8",
        ),
        of(
            "blake2b_scalar",
            "the node offset has six bytes in BLAKE2b",
            "let offset_bytes = «if W::BITS == 64 { 8 } else { 6 }»;",
            "6",
        ),
        of(
            "blake2s_scalar",
            "the salt begins eight bytes too late",
            "let salt_at = «W::BITS as usize / 2»;",
            "W::BITS as usize / 2 + W::SALT_BYTES",
        ),
        of(
            "blake2b_scalar",
            "the personalisation takes the place of the salt",
            "let personal_at = «salt_at + W::SALT_BYTES»;",
            "salt_at",
        ),
        of("blake2s_scalar", "the length of the key is missing", "block[1] = «parameters.key_length»;", "0"),
        of("blake2b_neon", "the inner length is missing", "block[9 + offset_bytes] = «parameters.inner_length»;", "0"),
        of(
            "blake2s_neon",
            "the depth of the node is missing",
            "block[8 + offset_bytes] = «parameters.node_depth»;",
            "0",
        ),
    ]
}

fn word_order() -> Vec<Sibling> {
    // Bytes to and from words are exchanged around the kernels of both directions, so that decryption undoes encryption.
    let exchanged = |row: &str, what: &str, half: usize| {
        Sibling::library(A32, row, what).edit_in(
            "impls/src/xts/mod.rs",
            "«unsafe { kernel(key, tweak, input, output, count, rounds) }»",
            format!(
                "let exchange = |from: *const u8, to: *mut u8| {{ \
                    for n in 0..count * C::BLOCK_BYTES / {} {{ for i in 0..{half} {{ unsafe {{ \
                        let (one, other) = (*from.add({} * n + i), *from.add({} * n + {half} + i)); \
                        *to.add({} * n + i) = other; *to.add({} * n + {half} + i) = one; }} }} }} }}; \
                exchange(input, output); \
                unsafe {{ kernel(key, tweak, output, output, count, rounds) }}; \
                exchange(output, output);",
                2 * half,
                2 * half,
                2 * half,
                2 * half,
                2 * half
            ),
        )
    };
    let keys = |row: &str, what: &str| {
        Sibling::library(A32, row, what).edit_in(
            "impls/src/speck/types.rs",
            "core::array::from_fn::<_, M, _>(|i| «<$word>::from_le_bytes(words[i])»)",
            "<$word>::from_le_bytes(words[M - 1 - i])",
        )
    };
    let swapped = |kernel: &str, load: [&str; 2], store: [&str; 2]| {
        Sibling::kernel(A64, kernel, "x and y change places on load and store, one block")
            .edit(load[0], load[1])
            .edit(store[0], store[1])
    };
    vec![
        exchanged("speck128_xts_scalar_encrypt", "the words of a block", 8),
        exchanged("speck128_xts_scalar_decrypt", "the words of a block", 8),
        exchanged("speck64_xts_neon_encrypt", "the words of a block", 4),
        exchanged("speck64_xts_neon_decrypt", "the words of a block", 4),
        keys("speck128_xts_scalar_encrypt", "the words of the key"),
        keys("speck64_xts_scalar_encrypt", "the words of the key"),
        swapped(
            "speck64_xts_scalar_decrypt",
            ["ldp «ry\\j, rx\\j», \\address", "rx\\j, ry\\j"],
            ["stp «rt0, rt1», \\address", "rt1, rt0"],
        ),
        swapped(
            "speck128_xts_neon_encrypt",
            ["ldp «ry\\j, rx\\j», \\address", "rx\\j, ry\\j"],
            ["stp «xt0, xt1», \\address", "xt1, xt0"],
        ),
    ]
}
