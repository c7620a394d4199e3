//! Builds OpenSSL, where it is asked for.

fn main() {
    #[cfg(feature = "openssl")]
    {
        let built = openssl_src::Build::new().build();
        println!("cargo::rustc-link-search=native={}", built.lib_dir().display());
    }
}
