//! Many messages over a few lanes.

/// A place for one message at a time in a kernel that processes several.
pub(crate) trait Lane {
    /// A message, and where its result goes.
    type Job;
    /// Without a message.
    const IDLE: Self;

    /// Takes a message, in place, so that no copy of a secret stays behind.
    fn begin(&mut self, job: Self::Job);
    /// Whether all of the message is done.
    fn is_done(&self) -> bool;
    /// Hands out the result.
    fn finish(&mut self);
}

/// Runs messages over `N` lanes.
///
/// While all lanes are busy, `together` advances all of them at once by at least one block; a lane that is done takes the
/// next message. What is left when no message waits is run by `alone`, which takes a lane to its end.
pub(crate) fn run<const N: usize, L: Lane>(
    mut waiting: impl ExactSizeIterator<Item = L::Job>,
    mut together: impl FnMut(&mut [L; N]),
    mut alone: impl FnMut(&mut L),
) {
    if N > 1 && waiting.len() >= N {
        let mut lanes = [const { L::IDLE }; N];
        lanes.iter_mut().zip(&mut waiting).for_each(|(lane, job)| lane.begin(job));
        let mut busy = true;
        while busy {
            together(&mut lanes);
            for lane in lanes.iter_mut().filter(|lane| lane.is_done()) {
                match waiting.next() {
                    Some(job) => {
                        lane.finish();
                        lane.begin(job);
                    }
                    // The others go on alone; this lane finishes with them.
                    None => busy = false,
                }
            }
        }
        for lane in &mut lanes {
            alone(lane);
            lane.finish();
        }
    } else {
        let mut lane = L::IDLE;
        for job in waiting {
            lane.begin(job);
            alone(&mut lane);
            lane.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;

    /// Counts the blocks of messages that are numbers of blocks.
    struct Counter<'a> {
        left: usize,
        done: usize,
        result: Option<&'a mut usize>,
    }

    impl<'a> Lane for Counter<'a> {
        type Job = (usize, &'a mut usize);
        const IDLE: Self = Counter { left: 0, done: 0, result: None };

        fn begin(&mut self, (blocks, result): Self::Job) {
            assert!(self.result.is_none(), "a message begins in a lane that is busy");
            *self = Counter { left: blocks, done: 0, result: Some(result) };
        }
        fn is_done(&self) -> bool {
            self.left == 0
        }
        fn finish(&mut self) {
            assert_eq!(self.left, 0, "a message is finished before its end");
            **self.result.as_mut().expect("a message is finished once") += self.done;
            self.result = None;
        }
    }

    fn take(lane: &mut Counter<'_>, blocks: usize) {
        lane.left -= blocks;
        lane.done += blocks;
    }

    fn blocks_done<const N: usize>(lengths: &[usize]) -> Vec<usize> {
        let mut results = std::vec![0; lengths.len()];
        run::<N, Counter<'_>>(
            lengths.iter().copied().zip(&mut results),
            |lanes| {
                let blocks = lanes.iter().map(|lane| lane.left).min().unwrap_or_default();
                assert!(blocks > 0, "a step of no blocks");
                lanes.iter_mut().for_each(|lane| take(lane, blocks));
            },
            |lane| take(lane, lane.left),
        );
        results
    }

    #[test]
    fn every_message_gets_all_its_blocks() {
        for count in 0..9 {
            for seed in 0..200usize {
                let lengths: Vec<usize> = (0..count).map(|i| 1 + (seed * 7 + i * seed * 3 + i) % 5).collect();
                assert_eq!(blocks_done::<3>(&lengths), lengths);
                assert_eq!(blocks_done::<2>(&lengths), lengths);
                assert_eq!(blocks_done::<1>(&lengths), lengths);
            }
        }
    }
}
