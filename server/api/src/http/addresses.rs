//! How the URL map is read: for what answers at its addresses, and for what the document says of them. A server that runs reads it
//! for the first alone; the second is a megabyte of program, and its text is kept in the repository.

use axum::Router;
use axum::handler::Handler;
use axum::routing::MethodRouter;
use utoipa::openapi::path::HttpMethod;
use utoipa_axum::PathItemExt;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

/// The handlers of one path.
pub(super) struct Routes<S> {
    pub(super) path: fn() -> String,
    pub(super) answering: fn() -> MethodRouter<S>,
    pub(super) described: fn() -> UtoipaMethodRouter<S>,
}

/// The handlers of one path, each of which says with `utoipa::path` where it answers and what.
macro_rules! routes {
    ($($room:ident :: $file:ident :: $name:ident),+ $(,)?) => {
        routes!(@of $([$room::$file] $name),+)
    };
    ($($room:ident :: $name:ident),+ $(,)?) => {
        routes!(@of $([$room] $name),+)
    };
    (@of [$($at:ident)::+] $name:ident $(, [$($others_at:ident)::+] $other:ident)*) => {
        utoipa_axum::paste! {
            Routes {
                path: <$($at::)+ [<__path_ $name>] as utoipa::Path>::path,
                answering: || {
                    let methods = <$($at::)+ [<__path_ $name>] as utoipa::Path>::methods();
                    let router = on(axum::routing::MethodRouter::new(), &methods, $($at::)+ $name);
                    $(
                        let methods = <$($others_at::)+ [<__path_ $other>] as utoipa::Path>::methods();
                        let router = on(router, &methods, $($others_at::)+ $other);
                    )*
                    router
                },
                described: || utoipa_axum::routes!($($at::)+ $name $(, $($others_at::)+ $other)*),
            }
        }
    };
}
pub(super) use routes;

/// Answers with this handler as well.
pub(super) fn on<H, T, S>(
    router: MethodRouter<S>,
    methods: &[HttpMethod],
    handler: H,
) -> MethodRouter<S>
where
    H: Handler<T, S>,
    T: 'static,
    S: Clone + Send + Sync + 'static,
{
    let filters = methods.iter().map(PathItemExt::to_method_filter);
    filters.fold(router, |router, filter| router.on(filter, handler.clone()))
}

/// What is made of the URL map, of handlers that share the state `S`.
pub(super) trait Addresses<S>: Sized {
    /// No addresses.
    fn none() -> Self;

    /// These as well.
    fn routes(self, routes: &Routes<S>) -> Self;

    /// A family below this path as well.
    fn nest(self, path: &str, family: Self) -> Self;

    /// The others as well.
    fn merge(self, others: Self) -> Self;

    /// With something around the answers, of which the document says nothing.
    fn around(self, around: impl FnOnce(Router<S>) -> Router<S>) -> Self;
}

impl<S: Clone + Send + Sync + 'static> Addresses<S> for Router<S> {
    fn none() -> Self {
        Self::new()
    }

    fn routes(self, routes: &Routes<S>) -> Self {
        self.route(&(routes.path)(), (routes.answering)())
    }

    fn nest(self, path: &str, family: Self) -> Self {
        Router::nest(self, path, family)
    }

    fn merge(self, others: Self) -> Self {
        Router::merge(self, others)
    }

    fn around(self, around: impl FnOnce(Router<S>) -> Router<S>) -> Self {
        around(self)
    }
}

impl<S: Clone + Send + Sync + 'static> Addresses<S> for OpenApiRouter<S> {
    fn none() -> Self {
        Self::new()
    }

    fn routes(self, routes: &Routes<S>) -> Self {
        OpenApiRouter::routes(self, (routes.described)())
    }

    fn nest(self, path: &str, family: Self) -> Self {
        OpenApiRouter::nest(self, path, family)
    }

    fn merge(self, others: Self) -> Self {
        OpenApiRouter::merge(self, others)
    }

    fn around(self, _: impl FnOnce(Router<S>) -> Router<S>) -> Self {
        self
    }
}
