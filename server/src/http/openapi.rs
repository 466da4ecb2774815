//! What the OpenAPI document says of every operation alike.

use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{OpenApi, PathItem, Ref};

/// How the document calls access tokens.
const BEARER: &str = "access-token";

/// The document with addresses from the top, an id for each operation, and what all operations share: who needs a token, and that a
/// request which cannot be read is refused.
pub(super) fn complete(mut document: OpenApi) -> OpenApi {
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .build();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
    let paths = std::mem::take(&mut document.paths.paths).into_iter();
    document.paths.paths = paths
        .map(|(path, mut item)| {
            for (method, operation) in operations(&mut item) {
                operation.operation_id = Some(id(method, &path));
                say_what_all_share(operation, &path);
            }
            (format!("/api{path}"), item)
        })
        .collect();
    document
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let operations = [
        ("get", &mut item.get),
        ("post", &mut item.post),
        ("patch", &mut item.patch),
        ("delete", &mut item.delete),
    ];
    let there = operations.into_iter();
    there.filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// The id that an operation's address is: the names of handlers are short, and OpenAPI wants ids that are unique in the whole
/// document.
fn id(method: &str, path: &str) -> String {
    let names = path
        .split('/')
        .filter(|segment| !segment.is_empty() && !segment.starts_with('{'));
    names.fold(method.to_owned(), |id, name| id + "_" + name)
}

fn say_what_all_share(operation: &mut Operation, path: &str) {
    let responses = &mut operation.responses.responses;
    let problem = if path.starts_with("/auth/") {
        "AuthProblem"
    } else {
        "Problem"
    };
    let mut refused = |status: &str, description: &str| {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(problem)));
        let response = ResponseBuilder::new()
            .description(description)
            .content("application/problem+json", content.build());
        let response = || response.build().into();
        responses.entry(status.to_owned()).or_insert_with(response);
    };
    let takes_something = operation
        .parameters
        .as_ref()
        .is_some_and(|it| !it.is_empty())
        || operation.request_body.is_some();
    if takes_something {
        refused("400", "The request cannot be read");
    }
    if operation.request_body.is_some() {
        refused("413", "The body is too large");
    }
    refused(
        "429",
        "Too many requests; Retry-After says when to try again",
    );
    refused(
        "503",
        "The server is busy, or misses something that it needs; try again later",
    );
    // Whatever answers that somebody is not signed in is for those who are.
    if responses.contains_key("401") {
        let signed_in = SecurityRequirement::new::<_, _, String>(BEARER, []);
        operation.security = Some(vec![signed_in]);
    }
}
