//! What the OpenAPI document says of every operation alike.

use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{OpenApi, PathItem, Ref};

/// How the document calls access tokens.
const BEARER: &str = "access-token";

/// The document with what all operations share: who needs a token, and that a request which cannot be read is refused.
pub(super) fn complete(mut document: OpenApi) -> OpenApi {
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .build();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
    let paths = document.paths.paths.iter_mut();
    for (path, item) in paths {
        for operation in operations(item) {
            say_what_all_share(operation, path);
        }
    }
    document
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let operations = [
        &mut item.get,
        &mut item.post,
        &mut item.patch,
        &mut item.delete,
    ];
    operations.into_iter().flatten()
}

fn say_what_all_share(operation: &mut Operation, path: &str) {
    let responses = &mut operation.responses.responses;
    let problem = if path.starts_with("/api/auth/") {
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
    refused("400", "The request cannot be read");
    if operation.request_body.is_some() {
        refused("408", "The body did not arrive in time");
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
    // Whatever answers that somebody is not signed in is for those who are, unless it says that it is for visitors as well.
    if responses.contains_key("401") {
        let signed_in = SecurityRequirement::new::<_, _, String>(BEARER, []);
        let visitor = SecurityRequirement::default();
        let said = operation.security.iter().flatten();
        let visitors = said.filter(|it| **it == visitor).take(1).cloned();
        operation.security = Some(visitors.chain([signed_in]).collect());
    }
}
