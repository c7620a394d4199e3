// AES decryption layout: AArch64, AES instructions (FEAT_AES)
//
//     convert_key_decrypt(schedule: *const u8, layout: *mut u8, rounds: u32)
//
//     layout[0] := w(R),  layout[i] := InvMixColumns(w(R - i)) for 0 < i < R,  layout[R] := w(0),
//     where w(0) .. w(R), R = rounds, are the 16-byte round keys of schedule
//
// Source
//     FIPS 197, section 5.3.5 (equivalent inverse cipher: the round keys dw, in the order of their use).
//
// Technique
//   - AESIMC is InvMixColumns.
//
// Arguments
//     x0  schedule  16 (R + 1) bytes, at any address (normal memory, SCTLR_ELx.A = 0: unaligned access allowed);
//                   read only
//     x1  layout    16 (R + 1) bytes (240 for 14 rounds), at any address; written, disjoint from schedule
//     w2  rounds    10, 12 or 14; the upper half of x2 is ignored
//
// Registers
//     x0         next round key to read, going down          v0    round key
//     x1         next round key to write, going up
//     w2         round keys left
//
// Stack
//     Not used.
//
// Cleared
//     v0 is zero. x0 .. x2 only ever held addresses and a counter.
//
// Notes
//   - Armv8-A with FEAT_AES, little-endian AArch64 state; position-independent.
//   - Nothing but schedule and layout is read or written.
//   - Branches compare a counter alone, which is public; no address depends on the key.
//   - The includer of this file puts the extension aes back after it where the target lacks it.

        .arch_extension aes

        schedule     .req    x0
        layout       .req    x1
        rounds       .req    w2

        .cfi_startproc
        hint        #34                                         // bti c
        add         schedule, schedule, rounds, uxtw #4
        ldr         q0, [schedule], #-16
        str         q0, [layout], #16
        sub         rounds, rounds, #1
1:      ldr         q0, [schedule], #-16
        aesimc      v0.16b, v0.16b
        str         q0, [layout], #16
        subs        rounds, rounds, #1
        b.ne        1b
        ldr         q0, [schedule]
        str         q0, [layout]
        movi        v0.16b, #0                                  // leave nothing of the key behind
        ret
        .cfi_endproc

        .unreq  schedule
        .unreq  layout
        .unreq  rounds
