#!/bin/bash
# Builds the fuzz targets for a fleet (ClusterFuzzLite, OSS-Fuzz) into $OUT, from the repository that this lies in.
#
# The targets are ARM programs and the fleet's machines are not. So what the fleet takes for the target is the launcher, a
# program of its own machine, which starts the ARM program under the QEMU that lies beside it ($OUT/guest/ARCHITECTURE):
# TARGET runs on AArch64, TARGET_arm on ARMv7, where there is such a kernel. fuzz/README.md tells the rest.
#
# VAMBRACE_FUZZ_TARGETS, a list of names, leaves out the others.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
: "${OUT:?is where the fuzz targets go}"

# What the fleet sets is for its own machine's C++ and for nightly Rust. libFuzzer is compiled for ARM here, by the pinned Rust's
# own way; AddressSanitizer would see nothing of assembly, and the targets put each message beside an unmapped page instead.
unset CC CXX CFLAGS CXXFLAGS RUSTFLAGS LIB_FUZZING_ENGINE RUSTUP_TOOLCHAIN RUSTC_WRAPPER SANITIZER_FLAGS

host=$(rustc -vV | sed -n 's/^host: //p')
mapfile -t targets < <(printf '%s\n' ${VAMBRACE_FUZZ_TARGETS:-$(cargo fuzz list | grep -v '^planted_defect$')})
(( ${#targets[@]} > 0 )) || { echo "build.sh: there are no fuzz targets" >&2; exit 1; }

# build TRIPLE: builds the targets for it.
build() {
    if [ -n "${VAMBRACE_FUZZ_TARGETS-}" ]; then
        for target in "${targets[@]}"; do cargo fuzz build --target "$1" "$target"; done
    else
        cargo fuzz build --target "$1"
    fi
}

# guests ARCHITECTURE TRIPLE LIBRARIES: the programs, QEMU, and the libraries that the programs need.
guests() {
    local folder=$OUT/guest/$1 qemu
    mkdir -p "$folder/lib"
    build "$2"
    # A static QEMU needs nothing of the machine that it will run on.
    qemu=$(command -v "qemu-$1-static" || command -v "qemu-$1") || {
        echo "build.sh: qemu-$1-static is not installed; on Debian and Ubuntu it is in qemu-user-static" >&2
        exit 1
    }
    cp "$qemu" "$folder/qemu"
    for library in ld-linux-aarch64.so.1 ld-linux-armhf.so.3 libc.so.6 libm.so.6 libgcc_s.so.1 libstdc++.so.6 libpthread.so.0 \
        libdl.so.2 librt.so.1; do
        if [ -e "$3/lib/$library" ]; then cp -L "$3/lib/$library" "$folder/lib/"; fi
    done
    for target in "${targets[@]}"; do
        cp "fuzz/target/$2/release/$target" "$folder/$target.program"
    done
}

guests aarch64 aarch64-unknown-linux-gnu /usr/aarch64-linux-gnu
guests arm armv7-unknown-linux-gnueabihf /usr/arm-linux-gnueabihf
build "$host"

for target in "${targets[@]}"; do
    for name in "$target" "${target}_arm"; do
        cp "fuzz/target/$host/release/$target" "$OUT/$name"
        # A tier that the architecture does not have is no target; any other that does not start is an error.
        if ! said=$("$OUT/$name" -runs=0 2>&1); then
            case $said in
            *"has no kernel of tier"*) rm "$OUT/$name" && continue ;;
            *) echo "build.sh: $name does not start: $said" >&2 && exit 1 ;;
            esac
        fi
        # Tiers of an algorithm read the same inputs.
        algorithm=${target%_*}
        if [ -e "fuzz/corpus-seed/$algorithm.zip" ]; then
            cp "fuzz/corpus-seed/$algorithm.zip" "$OUT/${name}_seed_corpus.zip"
        fi
        printf '[libfuzzer]\nmax_len = 4096\n' > "$OUT/$name.options"
    done
done
