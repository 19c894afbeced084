# The service on the base image of Node.js, for those who build on a base of their own: /service is the same as in the image
# that deploy/image/build.ts builds, which has no shell and is half as large.
#
# The base image has a tag and no digest: without a bot that raises it, a digest would keep the image at old security
# fixes. Build it again for new ones, with `docker build --pull`.
FROM node:24-slim AS build
WORKDIR /source
# Of the connectors only what npm reads, so that an edit of one installs nothing again.
COPY connectors/enable-banking/package.json connectors/enable-banking/
COPY connectors/fints/package.json connectors/fints/
COPY connectors/kit/package.json connectors/kit/
COPY connectors/sandbox/package.json connectors/sandbox/
COPY connectors/simplefin/package.json connectors/simplefin/
COPY connectors/statements/package.json connectors/statements/
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && node deploy/image/service.ts /image && ln -s /usr/local/bin/node /image/usr/bin/node
# Volumes mounted here inherit this owner.
RUN mkdir -m 700 /volumes /volumes/data /volumes/secrets /volumes/serving-secrets

FROM node:24-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.version=$VERSION org.opencontainers.image.revision=$REVISION \
  org.opencontainers.image.title="Bank Connection Data Service" \
  org.opencontainers.image.source="https://github.com/bank-connection/bank-connection-data-service" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /image /
COPY --from=build --chown=1000:1000 /volumes /
WORKDIR /service
USER 1000:1000
VOLUME /data
EXPOSE 3000
ENTRYPOINT ["bank-connection"]
CMD ["serve"]
