//! The OpenAPI 3.1 document, generated from the table of endpoints and the types of answers.

use super::answers;
use super::parameter::{MAX_PATH_CHARACTERS, MAX_TEXT_CHARACTERS, Parameter, ParameterKind};
use super::problem::{Kind, ProblemDocument};
use super::reply::Reply;
use super::routes::{ENDPOINTS, Endpoint, LINES};
use pensieve_store::retrieval::Pack;
use pensieve_store::store::MailView;
use utoipa::OpenApi;
use utoipa::openapi::path::{
    HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn, PathItem, PathsBuilder,
};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{ContentBuilder, InfoBuilder, Ref, Required, ResponseBuilder};

#[derive(OpenApi)]
#[openapi(components(schemas(
    answers::Health,
    answers::DocumentList,
    answers::FolderList,
    answers::Document,
    answers::TextPart,
    answers::ChunkList,
    answers::Chunk,
    answers::SearchResult,
    Pack,
    answers::CitedWords,
    MailView,
    answers::ThreadList,
    answers::Thread,
    answers::Statistics,
    ProblemDocument
)))]
struct Shapes;

/// `/api/v3/openapi.json`
pub fn document() -> Reply {
    let mut api = Shapes::openapi();
    api.info = InfoBuilder::new()
        .title("Pensieve")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Reads one corpus: documents, their clean text, chunks with their places. Offsets are characters \
             (Unicode scalar values). Errors are problem documents of RFC 9457.",
        ))
        .build();
    let paths = ENDPOINTS.iter().fold(PathsBuilder::new(), |paths, endpoint| {
        paths.path(endpoint.path, PathItem::new(HttpMethod::Get, operation(endpoint)))
    });
    api.paths = paths.build();
    if let Some(components) = &mut api.components {
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        components.add_security_scheme("token", bearer);
    }
    Reply::json(&api)
}

fn operation(endpoint: &Endpoint) -> OperationBuilder {
    let mut operation = OperationBuilder::new()
        .operation_id(Some(endpoint.name))
        .summary(Some(endpoint.about))
        .response("200", answer(endpoint.answer));
    for part in endpoint.parts() {
        operation = operation.parameter(
            ParameterBuilder::new()
                .name(part.name)
                .parameter_in(ParameterIn::Path)
                .required(Required::True)
                .description(Some(part.about))
                .schema(Some(ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)))),
        );
    }
    for parameter in endpoint.parameters {
        operation = operation.parameter(
            ParameterBuilder::new()
                .name(parameter.name)
                .parameter_in(ParameterIn::Query)
                .required(required(parameter))
                .description(Some(parameter.about))
                .schema(Some(schema(parameter))),
        );
    }
    let mut statuses: Vec<u16> = endpoint.problems().iter().map(|kind| kind.status().as_u16()).collect();
    statuses.sort_unstable();
    statuses.dedup();
    for status in statuses {
        operation = operation.response(status.to_string(), problem(status));
    }
    // A server without a token accepts every request; one with a token only requests that have it.
    operation.securities(Some([
        SecurityRequirement::default(),
        SecurityRequirement::new("token", Vec::<String>::new()),
    ]))
}

fn answer(schema: &str) -> ResponseBuilder {
    if schema == LINES {
        let text: Schema = ObjectBuilder::new().schema_type(Type::String).into();
        let content = ContentBuilder::new().schema(Some(text)).build();
        let about = "One JSON object a line: `upsert` or `delete`, and a last one, `end`";
        return ResponseBuilder::new().description(about).content("application/x-ndjson", content);
    }
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(schema))).build();
    ResponseBuilder::new().description("What was asked for").content("application/json", content)
}

fn problem(status: u16) -> ResponseBuilder {
    let titles = Kind::ALL.iter().filter(|kind| kind.status().as_u16() == status).map(|kind| kind.title());
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    ResponseBuilder::new()
        .description(titles.collect::<Vec<_>>().join("; "))
        .content("application/problem+json", content)
}

fn required(parameter: &Parameter) -> Required {
    match parameter.kind {
        ParameterKind::RequiredText => Required::True,
        _ => Required::False,
    }
}

fn schema(parameter: &Parameter) -> Schema {
    let text = ObjectBuilder::new().schema_type(Type::String);
    let object = match parameter.kind {
        ParameterKind::Text | ParameterKind::RequiredText => text.max_length(Some(MAX_TEXT_CHARACTERS)),
        ParameterKind::Path => text.max_length(Some(MAX_PATH_CHARACTERS)),
        ParameterKind::Cursor(list) => text.pattern(Some(list.pattern)),
        ParameterKind::OneOf(words) => text.enum_values(Some(words.iter().copied())),
        ParameterKind::Number { least, default, .. } => ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(least as f64))
            .default(Some(default.into())),
    };
    object.into()
}
