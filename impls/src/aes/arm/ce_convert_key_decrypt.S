// AES decryption layout: AArch32 (A32), AES instructions of ARMv8 (FEAT_AES)
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
//     r0  schedule  16 (R + 1) bytes, at any address (normal memory, SCTLR.A = 0: unaligned access allowed);
//                   read only
//     r1  layout    16 (R + 1) bytes (240 for 14 rounds), at any address; written, disjoint from schedule
//     r2  rounds    10, 12 or 14
//
// Registers
//     r0         next round key to read, going down          q0    round key
//     r1         next round key to write, going up
//     r2         round keys left
//     r3         -16
//
// Stack
//     Not used.
//
// Cleared
//     q0 is zero. r0 .. r3 only ever held addresses and counters.
//
// Notes
//   - Armv8-A with FEAT_AES, little-endian AArch32 state, A32 instructions; position-independent.
//   - Nothing but schedule and layout is read or written.
//   - Branches compare a counter alone, which is public; no address depends on the key.
//   - At the end of the file the architecture and FPU are set back to the defaults of the ARMv7 target.

        .arch   armv8-a
        .fpu    crypto-neon-fp-armv8

        schedule     .req    r0
        layout       .req    r1
        rounds       .req    r2
        back         .req    r3

        .cfi_startproc
        add         schedule, schedule, rounds, lsl #4
        mvn         back, #15                                   // - 16
        vld1.8      {d0-d1}, [schedule], back
        vst1.8      {d0-d1}, [layout]!
        sub         rounds, rounds, #1
1:      vld1.8      {d0-d1}, [schedule], back
        aesimc.8    q0, q0
        vst1.8      {d0-d1}, [layout]!
        subs        rounds, rounds, #1
        bne         1b
        vld1.8      {d0-d1}, [schedule]
        vst1.8      {d0-d1}, [layout]
        vmov.i32    q0, #0                                      // leave nothing of the key behind
        bx          lr
        .cfi_endproc

        .unreq  schedule
        .unreq  layout
        .unreq  rounds
        .unreq  back

        .arch   armv7-a
        .fpu    vfpv3-d16
