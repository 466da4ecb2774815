//! A connection whose clients must finish each head that they begin.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream that fails when a head is not complete in time. It ignores silence between a response and the next head.
pub(super) struct TimelyHeads<S> {
    stream: S,
    heads: Heads,
    clock: Pin<Box<Sleep>>,
}

/// Where a connection is in its requests. Shared by the stream, which sees bytes, and the service, which knows when a head is complete.
#[derive(Clone, Debug)]
pub(super) struct Heads(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    patience: Duration,
    /// When the head that has begun must be complete. None while a request is answered, and until the next head begins.
    due: Option<Instant>,
    /// The last bytes of that head.
    last: u32,
    /// How many bytes came after its end; none until the end is seen.
    after: Option<u64>,
    /// How many bytes of the request's body are still to come.
    body: u64,
}

impl<S> TimelyHeads<S> {
    /// The first head begins when the connection does.
    pub(super) fn new(stream: S, patience: Duration) -> Self {
        let mut state = State {
            patience,
            due: None,
            last: 0,
            after: None,
            body: 0,
        };
        state.begin();
        Self {
            stream,
            heads: Heads(Arc::new(Mutex::new(state))),
            clock: Box::pin(sleep(patience)),
        }
    }

    pub(super) fn heads(&self) -> Heads {
        self.heads.clone()
    }
}

impl Heads {
    /// A head is complete, and a body of so many bytes follows; none when only its end will show how many.
    pub(super) fn complete(&self, body: Option<u64>) {
        self.0.lock().complete(body.unwrap_or(u64::MAX));
    }
}

impl State {
    fn begin(&mut self) {
        self.due = Some(Instant::now() + self.patience);
        self.last = 0;
        self.after = None;
    }

    fn complete(&mut self, body: u64) {
        let left = self.after.and_then(|after| body.checked_sub(after));
        match left {
            Some(left) => {
                self.due = None;
                self.body = left;
            }
            // More than the body came along, so the next head has begun.
            None => self.begin(),
        }
    }

    fn read(&mut self, mut bytes: &[u8]) {
        if self.due.is_none() {
            let body = usize::try_from(self.body).map_or(bytes.len(), |body| body.min(bytes.len()));
            self.body -= body as u64;
            bytes = &bytes[body..];
            if bytes.is_empty() {
                return;
            }
            self.begin();
        }
        for &byte in bytes {
            if let Some(after) = &mut self.after {
                *after += 1;
                continue;
            }
            self.last = self.last << 8 | u32::from(byte);
            // An empty line, with or without the carriage returns.
            if self.last & 0xff_ffff == 0x0a_0d_0a || self.last & 0xffff == 0x0a_0a {
                self.after = Some(0);
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimelyHeads<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        if let Poll::Ready(read) = Pin::new(&mut self.stream).poll_read(context, buffer) {
            self.heads.0.lock().read(&buffer.filled()[before..]);
            return Poll::Ready(read);
        }
        let due = self.heads.0.lock().due;
        let Some(due) = due else {
            return Poll::Pending;
        };
        if self.clock.deadline() != due {
            self.clock.as_mut().reset(due);
        }
        ready!(self.clock.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a head is awaited after these bytes, of which a first head with this much of a body was taken.
    fn is_head_awaited(first: &[u8], body: Option<u64>, then: &[u8]) -> bool {
        let patience = Duration::from_secs(1);
        let stream = TimelyHeads::new(tokio::io::empty(), patience);
        let heads = stream.heads();
        heads.0.lock().read(first);
        heads.complete(body);
        heads.0.lock().read(then);
        let due = heads.0.lock().due;
        due.is_some()
    }

    #[tokio::test]
    async fn a_head_begins_with_the_first_byte_after_the_body() {
        let get = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n";
        assert!(!is_head_awaited(get, Some(0), b""));
        assert!(is_head_awaited(get, Some(0), b"G"));
        assert!(is_head_awaited(
            &[&get[..], b"GET / HT"].concat(),
            Some(0),
            b""
        ));
        assert!(!is_head_awaited(get, Some(4), b"four"));
        assert!(!is_head_awaited(
            &[&get[..], b"fo"].concat(),
            Some(4),
            b"ur"
        ));
        assert!(is_head_awaited(get, Some(4), b"four\r"));
        assert!(is_head_awaited(
            &[&get[..], b"four\r"].concat(),
            Some(4),
            b""
        ));
        assert!(!is_head_awaited(get, None, b"2\r\nno\r\n0\r\n\r\n"));
        assert!(!is_head_awaited(b"GET / HTTP/1.1\n\n", Some(0), b""));
    }

    #[tokio::test]
    async fn the_first_head_is_due_from_the_beginning() {
        let stream = TimelyHeads::new(tokio::io::empty(), Duration::from_secs(1));
        stream.heads.0.lock().read(b"\r\n\r\nGET / HTTP/1.1\r\n");
        assert!(stream.heads.0.lock().due.is_some());
    }
}
