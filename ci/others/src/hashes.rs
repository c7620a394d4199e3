//! SHA-2 of both libraries, whose interfaces are one but for the name.

use vambrace_harness::subject::{HashSubject, RunningHash};

macro_rules! library {
    ($module:ident, $library:ident, $(($name:literal, $algorithm:literal, $value:ident)),*) => {
        mod $module {
            use $library::digest::{self, Algorithm, Context};

            use super::{HashSubject, RunningHash};

            struct Subject {
                name: &'static str,
                algorithm: &'static str,
                digest: &'static Algorithm,
            }

            impl HashSubject for Subject {
                fn name(&self) -> &str {
                    self.name
                }

                fn algorithm(&self) -> &str {
                    self.algorithm
                }

                fn start(&self) -> Box<dyn RunningHash> {
                    Box::new(Running(Context::new(self.digest)))
                }
            }

            #[derive(Clone)]
            struct Running(Context);

            impl Running {
                /// The context so far; an empty one stays.
                fn take(&mut self) -> Context {
                    let empty = Context::new(self.0.algorithm());
                    std::mem::replace(&mut self.0, empty)
                }
            }

            impl RunningHash for Running {
                fn update(&mut self, data: &[u8]) {
                    self.0.update(data);
                }

                fn boxed_clone(&self) -> Box<dyn RunningHash> {
                    Box::new(self.clone())
                }

                fn reset(&mut self) {
                    self.take();
                }

                fn finalize(mut self: Box<Self>) -> Vec<u8> {
                    self.finalize_reset()
                }

                fn finalize_reset(&mut self) -> Vec<u8> {
                    self.take().finish().as_ref().to_vec()
                }
            }

            pub fn subjects() -> Vec<Box<dyn HashSubject>> {
                vec![$(Box::new(Subject { name: $name, algorithm: $algorithm, digest: &digest::$value })),*]
            }
        }
    };
}

library!(
    of_ring,
    ring,
    ("ring_sha256", "sha256", SHA256),
    ("ring_sha384", "sha384", SHA384),
    ("ring_sha512", "sha512", SHA512),
    ("ring_sha512_256", "sha512-256", SHA512_256)
);
#[cfg(not(target_arch = "arm"))]
library!(
    of_aws_lc,
    aws_lc_rs,
    ("aws-lc_sha224", "sha224", SHA224),
    ("aws-lc_sha256", "sha256", SHA256),
    ("aws-lc_sha384", "sha384", SHA384),
    ("aws-lc_sha512", "sha512", SHA512),
    ("aws-lc_sha512_256", "sha512-256", SHA512_256)
);

/// All of both, as far as they are built.
pub fn subjects() -> Vec<Box<dyn HashSubject>> {
    let all = [
        of_ring::subjects(),
        #[cfg(not(target_arch = "arm"))]
        of_aws_lc::subjects(),
    ];
    all.into_iter().flatten().collect()
}
