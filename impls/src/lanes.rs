//! Many messages over a few lanes.

/// A message on its way through a kernel that processes several.
pub(crate) trait Lane {
    /// How many blocks it can take now in one go; 0 if and only if it is finished.
    fn ready(&self) -> usize;
}

/// Runs `count` messages over `N` lanes until each is finished.
///
/// `begin` starts the message of an index in an idle lane, in place, so that no copy of a secret stays behind. While all
/// lanes are busy, `together` advances all of them by as many blocks as each has ready; a lane that finishes is handed to
/// `close` and takes the next message. What is left when no message waits is run by `alone`, which takes a lane to its end.
pub(crate) fn run<const N: usize, L: Lane>(
    count: usize,
    idle: impl Fn() -> L,
    mut begin: impl FnMut(&mut L, usize),
    mut together: impl FnMut(&mut [L; N], usize),
    mut alone: impl FnMut(&mut L),
    mut close: impl FnMut(usize, &L),
) {
    let mut waiting = 0..count;
    if N > 1 && count >= N {
        let mut lanes: [L; N] = core::array::from_fn(|_| idle());
        let mut indices: [usize; N] = core::array::from_fn(|lane| lane);
        waiting.start = N;
        for (lane, index) in lanes.iter_mut().zip(indices) {
            begin(lane, index);
        }
        let mut busy = true;
        while busy {
            let blocks = lanes.iter().map(Lane::ready).min().unwrap_or_default();
            together(&mut lanes, blocks);
            for (lane, index) in lanes.iter_mut().zip(&mut indices) {
                if lane.ready() != 0 {
                    continue;
                }
                match waiting.next() {
                    Some(next) => {
                        close(*index, lane);
                        *index = next;
                        begin(lane, next);
                    }
                    // The others go on alone; this lane is closed with them.
                    None => busy = false,
                }
            }
        }
        for (lane, index) in lanes.iter_mut().zip(indices) {
            alone(lane);
            close(index, lane);
        }
    } else if count > 0 {
        let mut lane = idle();
        for index in waiting {
            begin(&mut lane, index);
            alone(&mut lane);
            close(index, &lane);
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;

    struct Counted {
        left: usize,
        done: usize,
    }

    impl Lane for Counted {
        fn ready(&self) -> usize {
            self.left
        }
    }

    fn blocks_done(lengths: &[usize]) -> Vec<usize> {
        let mut done = std::vec![0; lengths.len()];
        let take = |lane: &mut Counted, n: usize| {
            lane.left -= n;
            lane.done += n;
        };
        run::<3, Counted>(
            lengths.len(),
            || Counted { left: 0, done: 0 },
            |lane, index| *lane = Counted { left: lengths[index], done: 0 },
            |lanes, n| {
                assert!(n > 0, "a step of no blocks");
                lanes.iter_mut().for_each(|lane| {
                    lane.left -= n;
                    lane.done += n;
                })
            },
            |lane| take(lane, lane.left),
            |index, lane| {
                assert_eq!((lane.left, done[index]), (0, 0), "message {index} is closed once, finished");
                done[index] = lane.done;
            },
        );
        done
    }

    #[test]
    fn every_message_gets_all_its_blocks() {
        for count in 0..9 {
            for seed in 0..200usize {
                let lengths: Vec<usize> = (0..count).map(|i| 1 + (seed * 7 + i * seed * 3 + i) % 5).collect();
                assert_eq!(blocks_done(&lengths), lengths);
            }
        }
    }
}
