# docker build -t pensieve .
# docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/data" pensieve ingest notes notes.db
FROM rust:1-bookworm AS build
WORKDIR /build
COPY . .
RUN cargo build --release --locked --bin pensieve

# glibc and nothing else: no shell, no package manager.
FROM gcr.io/distroless/cc-debian12
COPY --from=build /build/target/release/pensieve /usr/bin/pensieve
COPY LICENSE LICENSE-APACHE LICENSE-MIT THIRD-PARTY.md /usr/share/doc/pensieve/
WORKDIR /data
ENTRYPOINT ["/usr/bin/pensieve"]
