//! Completes the OpenAPI document with what all operations share.

use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{OpenApi, Ref, RefOr};

/// Operations name this scheme when they need a signed-in user.
const ACCESS_TOKEN: &str = "access-token";

/// Adds the access tokens, the errors that every operation can answer, and the body of errors.
pub(super) fn complete(mut document: OpenApi) -> OpenApi {
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer);
    let bearer = bearer.bearer_format("JWT").build();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme(ACCESS_TOKEN, SecurityScheme::Http(bearer));
    for item in document.paths.paths.values_mut() {
        let operations = [
            &mut item.get,
            &mut item.post,
            &mut item.patch,
            &mut item.delete,
        ];
        operations.into_iter().flatten().for_each(add_errors);
    }
    document
}

fn add_errors(operation: &mut Operation) {
    let responses = &mut operation.responses.responses;
    let mut add = |status: &str, description: &str| {
        let response = || ResponseBuilder::new().description(description).into();
        responses.entry(status.to_owned()).or_insert_with(response);
    };
    add("400", "The request cannot be read");
    if operation.security.is_some() {
        add("401", "Not signed in, or no longer");
    }
    if operation.request_body.is_some() {
        add("408", "The body did not arrive in time");
        add("413", "The body is too large");
    }
    add(
        "429",
        "Too many requests; Retry-After says when to try again",
    );
    add(
        "503",
        "The server is busy, or misses something that it needs; try again later",
    );
    let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem")));
    let problem = problem.build();
    for (_, response) in responses.range_mut("400".to_owned()..) {
        if let RefOr::T(response) = response
            && response.content.is_empty()
        {
            let content_type = "application/problem+json".to_owned();
            response
                .content
                .insert(content_type, problem.clone().into());
        }
    }
}
