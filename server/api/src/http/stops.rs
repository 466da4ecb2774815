//! The names of layers. With `LOG=stops=trace` the server log has the name of each layer that a request comes to, in this order.

use std::task::{Context, Poll};

use tower::{Layer, Service};

/// The target of these lines.
pub const TARGET: &str = "stops";

/// A layer with a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<L> {
    name: &'static str,
    layer: L,
}

/// Gives a layer a name.
pub(super) fn named<L>(name: &'static str, layer: L) -> Named<L> {
    Named { name, layer }
}

impl<S, L: Layer<S>> Layer<S> for Named<L> {
    type Service = NamedService<L::Service>;

    fn layer(&self, inner: S) -> Self::Service {
        NamedService {
            name: self.name,
            service: self.layer.layer(inner),
        }
    }
}

/// What a named layer makes.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedService<S> {
    name: &'static str,
    service: S,
}

impl<R, S: Service<R>> Service<R> for NamedService<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: R) -> S::Future {
        tracing::trace!(target: TARGET, name = self.name);
        self.service.call(request)
    }
}
