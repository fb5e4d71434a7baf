//! What the benchmarks share: the other implementations, and a clock.

use std::mem::MaybeUninit;
use std::time::Duration;

use cpu_time::ThreadTime;

/// Hashes a whole message.
pub type Hash = Box<dyn Fn(&[u8]) -> [u8; 20]>;

/// An implementation of SHA-1.
pub struct Contender {
    /// Crate and version, or backend.
    pub name: String,
    /// What it does.
    pub hash: Hash,
}

impl Contender {
    fn new(name: &str, hash: impl Fn(&[u8]) -> [u8; 20] + 'static) -> Self {
        Self { name: name.to_owned(), hash: Box::new(hash) }
    }

    /// Plain SHA-1, to which all others are compared.
    pub fn plain() -> Self {
        Self::new("sha1 0.11", |message| <sha1::Sha1 as sha1::Digest>::digest(message).0)
    }

    /// Others that detect collisions: the strongest, what it does without SHA instructions, and the
    /// most widely used.
    ///
    /// # Panics
    ///
    /// If a message holds an attack, they panic when they hash it.
    pub fn peers() -> Vec<Self> {
        vec![
            Self::new("sha1dc 0.1.5", |message| sha1dc_peer::digest(message).unwrap().to_bytes()),
            Self::new("sha1dc 0.1.5 scalar", |message| {
                let mut hasher = sha1dc_peer::Hasher::builder().internal_scalar_backend().build();
                hasher.update(message);
                hasher.finalize().unwrap().to_bytes()
            }),
            Self::new("sha1-checked 0.10", |message| {
                (*sha1_checked::Sha1::try_digest(message).hash()).into()
            }),
        ]
    }

    /// OpenSSL's plain SHA-1 as on a processor without SHA instructions, if the machine has the
    /// library: what those who cannot use them are used to.
    pub fn openssl_without_sha() -> Option<Self> {
        type Sha1 = unsafe extern "C" fn(*const u8, usize, *mut u8) -> *mut u8;
        // SAFETY: benchmarks call this before there is another thread; the library reads the
        // variable while it is loaded, which runs nothing but its own initialisation.
        let library = unsafe {
            std::env::set_var("OPENSSL_ia32cap", ":~0x20000000");
            libloading::Library::new("libcrypto.so.3")
        };
        let library = Box::leak(Box::new(library.ok()?));
        // SAFETY: this is how the library declares the function, and it stays loaded.
        let sha1 = unsafe { *library.get::<Sha1>(b"SHA1\0").ok()? };
        Some(Self::new("OpenSSL without SHA", move |message| {
            let mut digest = [0; 20];
            // SAFETY: the function reads the message and writes 20 bytes.
            unsafe { sha1(message.as_ptr(), message.len(), digest.as_mut_ptr()) };
            digest
        }))
    }

    /// The C library in the file that `SHA1DC_LIBRARY` names, used as git does; none if it names none.
    ///
    /// # Panics
    ///
    /// If it cannot be loaded.
    pub fn c_library() -> Option<Self> {
        /// Room for a context: 2400 bytes.
        type Context = [u64; 300];
        type On = unsafe extern "C" fn(*mut Context);
        type Set = unsafe extern "C" fn(*mut Context, i32);
        type Update = unsafe extern "C" fn(*mut Context, *const u8, usize);
        type Final = unsafe extern "C" fn(*mut u8, *mut Context) -> i32;
        let file = std::env::var_os("SHA1DC_LIBRARY")?;
        // SAFETY: the library runs nothing when it is loaded, and declares its functions so.
        let (init, safe, update, finish) = unsafe {
            let library = Box::leak(Box::new(libloading::Library::new(file).expect("a library")));
            (
                *library.get::<On>(b"SHA1DCInit\0").expect("a function"),
                *library.get::<Set>(b"SHA1DCSetSafeHash\0").expect("a function"),
                *library.get::<Update>(b"SHA1DCUpdate\0").expect("a function"),
                *library.get::<Final>(b"SHA1DCFinal\0").expect("a function"),
            )
        };
        Some(Self::new("C library", move |message| {
            let (mut context, mut digest) = (MaybeUninit::<Context>::uninit(), [0; 20]);
            let context = context.as_mut_ptr();
            // SAFETY: there is room for a context and for a digest, and the message is all there.
            unsafe {
                init(context);
                safe(context, 0);
                update(context, message.as_ptr(), message.len());
                assert_eq!(finish(digest.as_mut_ptr(), context), 0);
            }
            digest
        }))
    }

    /// `sha1dc` as its users get it.
    ///
    /// # Panics
    ///
    /// If a message holds an attack, it panics when it hashes it.
    pub fn ours() -> Self {
        Self::new("sha1dc (this)", |message| sha1dc::digest(message).unwrap().to_bytes())
    }

    /// One backend of `sha1dc`.
    ///
    /// # Panics
    ///
    /// If a message holds an attack, it panics when it hashes it.
    pub fn backend(backend: sha1dc::Backend) -> Self {
        Self::new(backend.name(), move |message| {
            let mut hasher = sha1dc::Builder::new().backend(backend).build();
            hasher.update(message);
            hasher.finalize().unwrap().to_bytes()
        })
    }

    /// All of them, plain SHA-1 first.
    pub fn all() -> Vec<Self> {
        let backends = sha1dc::Backend::available().map(Self::backend);
        let openssl = Self::openssl_without_sha();
        let others = Self::peers().into_iter().chain(openssl).chain(Self::c_library());
        [Self::plain()].into_iter().chain(others).chain([Self::ours()]).chain(backends).collect()
    }
}

/// Hashes every message of `size` bytes that `bytes` holds, and tells this thread's processor time:
/// on a shared machine the wall clock also counts what others do.
pub fn time(contender: &Contender, bytes: &[u8], size: usize) -> Duration {
    let start = ThreadTime::now();
    for message in bytes.chunks_exact(size) {
        std::hint::black_box((contender.hash)(std::hint::black_box(message)));
    }
    start.elapsed()
}

/// Sizes of message that are measured, in bytes.
pub const SIZES: [usize; 7] = [8, 64, 320, 1024, 8192, 16384, 1 << 20];

/// The median of values, of which there is at least one.
///
/// # Panics
///
/// If there is none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
