//! The form for the token, for browsers: they keep a cookie instead of the token.

use super::template::bare_template;
use crate::serve::guard::MAX_BODY_BYTES;
use crate::serve::parameter::{Parameter, ParameterKind, Values};
use crate::serve::problem::{Kind, Problem};
use crate::serve::reply::Reply;
use crate::serve::served_corpus::ServedCorpus;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Response, StatusCode};
use maud::html;
use std::sync::Arc;
use std::time::Duration;

/// The delay of the answer to a wrong token, so that guessing is slow.
const WRONG_TOKEN_DELAY: Duration = Duration::from_millis(500);

const FORM: &[Parameter] = &[Parameter { name: "token", about: "", kind: ParameterKind::RequiredText }];

/// `GET /login`
pub async fn login_form() -> Response<Body> {
    form(None).into_response()
}

/// `POST /login`
pub async fn login(State(site): State<Arc<ServedCorpus>>, body: Body) -> Response<Body> {
    let timeout = site.options.timeout;
    let bytes = match tokio::time::timeout(timeout, axum::body::to_bytes(body, MAX_BODY_BYTES)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(_)) => {
            return refused(Kind::TooLarge, format!("At most {MAX_BODY_BYTES} bytes of a body are read."));
        }
        Err(_) => return refused(Kind::SlowRequest, format!("A body may take {} s.", timeout.as_secs())),
    };
    let values = Values::read(&String::from_utf8_lossy(&bytes), FORM).unwrap_or_default();
    let shown = values.text("token").unwrap_or_default().trim();
    let reply = match &site.token {
        None => Reply::redirect("/"),
        Some(token) if token.is(shown) => Reply::redirect("/").with("set-cookie", token.cookie()),
        Some(_) => {
            tokio::time::sleep(WRONG_TOKEN_DELAY).await;
            form(Some("This is not the token.")).with_status(StatusCode::UNAUTHORIZED)
        }
    };
    reply.into_response()
}

fn refused(kind: Kind, detail: String) -> Response<Body> {
    // The rest of the body is not read.
    Problem::new(kind, detail).reply().with("connection", "close").into_response()
}

fn form(message: Option<&str>) -> Reply {
    bare_template(
        "Token",
        html! {
            main #main { form .login method="post" action="/login" {
                h1 { "Pensieve" }
                @if let Some(message) = message { p .alert role="alert" { (message) } }
                label for="token" { "Token" }
                input #token name="token" type="password" autocomplete="current-password" required autofocus;
                button { "Open" }
                p .quiet { "The token that the server was started with." }
            } }
        },
    )
}
