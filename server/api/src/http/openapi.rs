//! Completes the OpenAPI document with what all operations share.

use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{OpenApi, Ref, RefOr, Schema};

/// Operations name this scheme when they need a signed-in user.
const ACCESS_TOKEN: &str = "access-token";

/// Adds the access tokens, the errors that every operation can answer, and the body of errors.
pub(super) fn complete(mut document: OpenApi) -> OpenApi {
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer);
    let bearer = bearer.bearer_format("JWT").build();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme(ACCESS_TOKEN, SecurityScheme::Http(bearer));
    // A client that asks for some of the columns gets rows without the others.
    for name in ["ProfileRow", "ProofRow"] {
        if let Some(RefOr::T(Schema::Object(row))) = components.schemas.get_mut(name) {
            row.required.clear();
        }
    }
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
    let has_body = operation.request_body.is_some();
    let responses = &mut operation.responses.responses;
    for (status, applies, description) in [
        ("400", true, "The request cannot be read"),
        (
            "401",
            operation.security.is_some(),
            "Not signed in, or no longer",
        ),
        ("408", has_body, "The body did not arrive in time"),
        ("413", has_body, "The body is too large"),
        (
            "429",
            true,
            "Too many requests; Retry-After says when to try again",
        ),
        (
            "503",
            true,
            "The server is busy, or misses something that it needs; try again later",
        ),
    ] {
        let response = || ResponseBuilder::new().description(description).into();
        if applies {
            responses.entry(status.to_owned()).or_insert_with(response);
        }
    }
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
