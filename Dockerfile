# The service's image. The first stage builds the pages; the image has them, the source (Node.js runs TypeScript) and the
# runtime packages, without build and test tools.
#
# The base image has a tag and no digest: without a bot that raises it, a digest would keep the image at old security
# fixes. Build it again for new ones, with `docker build --pull`.
FROM node:24-slim AS build
WORKDIR /service
COPY connectors connectors
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data SECRETS_DIR=/secrets
WORKDIR /service
COPY connectors connectors
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
COPY openapi.yaml ./
COPY widget/openapi.yaml widget/
COPY management/openapi.yaml management/
COPY generated generated
COPY client client
COPY src src
# The demo shows them to be copied.
COPY examples/html examples/html
COPY examples/react examples/react
COPY --from=build /service/dist dist
# Volumes mounted here inherit this owner.
RUN mkdir /data /secrets /serving-secrets \
  && chown node:node /data /secrets /serving-secrets \
  && chmod 700 /data /secrets /serving-secrets
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/main.ts"]
CMD ["serve"]
