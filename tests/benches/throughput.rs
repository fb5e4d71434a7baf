//! Speeds one by one, with criterion's statistics; `ratios` is the one to compare by.
//!
//! `cargo bench -p sha1dc-tests --bench throughput`

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sha1dc_tests::speed::{Contender, SIZES, time};

fn throughput(criterion: &mut Criterion) {
    let mut random = fastrand::Rng::with_seed(1);
    let contenders = Contender::all();
    for size in SIZES {
        let mut group = criterion.benchmark_group(format!("{size} bytes"));
        group.throughput(Throughput::Bytes(size as u64));
        for contender in &contenders {
            group.bench_function(BenchmarkId::from_parameter(&contender.name), |bencher| {
                // Fresh bytes for each message, made outside of what is timed.
                let mut bytes = vec![0; size * (1_usize << 20).div_ceil(size)];
                bencher.iter_custom(|messages| {
                    let mut left = size * messages as usize;
                    let mut total = Duration::ZERO;
                    while left > 0 {
                        let part = left.min(bytes.len());
                        random.fill(&mut bytes[..part]);
                        total += time(contender, &bytes[..part], size);
                        left -= part;
                    }
                    total
                });
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = throughput
}
criterion_main!(benches);
