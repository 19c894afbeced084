# The service's image with the tracing SDK: docker build --file deploy/telemetry.Dockerfile deploy
FROM node:24-slim AS sdk
RUN npm install --prefix /telemetry @opentelemetry/api@1.10 @opentelemetry/context-async-hooks@3.1 \
  @opentelemetry/core@3.1 @opentelemetry/resources@3.1 @opentelemetry/sdk-trace@3.1 \
  @opentelemetry/exporter-trace-otlp-http@0.301

FROM bank-connection-data-service
COPY --from=sdk /telemetry /telemetry
COPY telemetry.mjs /telemetry/
# With NODE_OPTIONS instead, the health check would also load the SDK.
ENTRYPOINT ["node", "--import", "/telemetry/telemetry.mjs", "src/main.ts"]
CMD ["serve"]
