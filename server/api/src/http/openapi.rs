//! What the OpenAPI document says of every operation alike.

use std::collections::BTreeSet;

use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::Operation;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::ArrayItems;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Components, OpenApi, PathItem, Ref, RefOr, Schema};

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
    let mut rows = BTreeSet::new();
    let paths = std::mem::take(&mut document.paths.paths).into_iter();
    let mut ids = BTreeSet::new();
    document.paths.paths = paths
        .map(|(path, mut item)| {
            for (method, operation) in operations(&mut item) {
                let mut id = id(method, &path);
                // One of those that are listed where the same names lead.
                while !ids.insert(id.clone()) {
                    id.push_str("_one");
                }
                operation.operation_id = Some(id);
                say_what_all_share(operation, &path);
                if takes(operation, "select") {
                    rows.extend(answer_some_columns(operation));
                }
            }
            (format!("/api{path}"), item)
        })
        .collect();
    for row in rows {
        add_some_columns(components, &row);
    }
    document
}

fn takes(operation: &Operation, name: &str) -> bool {
    let mut parameters = operation.parameters.iter().flatten();
    parameters.any(|it| matches!(it, RefOr::T(parameter) if parameter.name == name))
}

/// Has the rows of an answer be of some columns, and says which rows these are.
fn answer_some_columns(operation: &mut Operation) -> Vec<String> {
    let responses = operation.responses.responses.values_mut();
    let contents = responses
        .filter_map(written)
        .flat_map(|response| response.content.values_mut())
        .filter_map(written);
    let mut rows = Vec::new();
    for content in contents {
        let row = match &mut content.schema {
            Some(RefOr::T(Schema::Array(array))) => match &mut array.items {
                ArrayItems::RefOrSchema(row) => row.as_mut(),
                ArrayItems::False => continue,
            },
            Some(row) => row,
            None => continue,
        };
        if let RefOr::Ref(reference) = row
            && let Some((_, name)) = reference.ref_location.rsplit_once('/')
            && name.ends_with("Row")
        {
            let name = name.to_owned();
            *reference = Ref::from_schema_name(some_of(&name));
            rows.push(name);
        }
    }
    rows
}

/// What is written where it is used, as all of this document is but schemas.
fn written<T>(it: &mut RefOr<T>) -> Option<&mut T> {
    match it {
        RefOr::T(it) => Some(it),
        RefOr::Ref(_) => None,
    }
}

/// A row of which only the columns that were asked for are there.
fn add_some_columns(components: &mut Components, row: &str) {
    let whole = components.schemas.get(row);
    if let Some(RefOr::T(Schema::Object(whole))) = whole.cloned() {
        let mut some = whole;
        some.required.clear();
        components
            .schemas
            .insert(some_of(row), Schema::Object(some).into());
    }
}

fn some_of(row: &str) -> String {
    format!("SomeOf{row}")
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
