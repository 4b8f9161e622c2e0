# Another name for registries that mirror it.
ARG NODE_IMAGE=node:26-bookworm-slim
FROM $NODE_IMAGE AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
COPY packages/embedded-mongo/package.json packages/embedded-mongo/
COPY packages/client/package.json packages/client/
COPY packages/inbox/package.json packages/inbox/
COPY packages/nest-schematics/package.json packages/nest-schematics/
COPY apps/console/package.json apps/console/
COPY tools/docs-site/package.json tools/docs-site/
COPY tools/inbox-demo/package.json tools/inbox-demo/
# No package needs its install script, and none is to reach for the network while the image is built.
RUN npm ci --ignore-scripts --include=dev
COPY . .
RUN npm pack --pack-destination /

# The image runs the same package as npx, with the packages that it names and those that export traces.
FROM $NODE_IMAGE AS install
WORKDIR /app
COPY --from=build /herald-*.tgz /tmp/herald.tgz
RUN traces=$(tar -xOf /tmp/herald.tgz package/package.json | node -p "Object.entries(JSON.parse(fs.readFileSync(0)).peerDependencies).filter(([name]) => name.startsWith('@opentelemetry/')).map((one) => one.join('@')).join(' ')") \
  && npm install --ignore-scripts --omit=dev --no-audit --no-fund --no-save --prefix /app /tmp/herald.tgz $traces

FROM $NODE_IMAGE
LABEL org.opencontainers.image.title="Herald" \
  org.opencontainers.image.description="Notification delivery in one process: workflows, channels, digests and an honest trail over a /v1 HTTP API." \
  org.opencontainers.image.licenses="MIT"
ENV PATH=/app/node_modules/.bin:$PATH NODE_ENV=production HOST=0.0.0.0 PORT=3000 WORKER_PORT=3001 DATA_DIR=/data INBOX_DEMO=off
RUN mkdir /data && chown node:node /data
COPY --from=install /app/node_modules /app/node_modules
WORKDIR /data
# By number, so that Kubernetes sees that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000 3001
# The worker serves its check on another port, with the same meaning of its status.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "const check = (url) => fetch(url).then((r) => r.ok, () => false); Promise.all([check(`http://127.0.0.1:${process.env.PORT}/v1/health-check`), check(`http://127.0.0.1:${process.env.WORKER_PORT}`)]).then((all) => process.exit(all.includes(true) ? 0 : 1))"]
# Herald takes SIGTERM itself, also as process 1, and waits for the processes that it starts. The young generation has room for whole
# batches, as in `npm start`.
ENTRYPOINT ["node", "--max-semi-space-size=32", "/app/node_modules/herald/bin/herald.mjs"]
CMD ["start"]
