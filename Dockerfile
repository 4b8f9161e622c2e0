# syntax=docker/dockerfile:1
FROM node:22-bookworm-slim AS deps
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/embedded-mongo/package.json packages/embedded-mongo/
# No package needs its install script, and none is to reach for the network while the image is built.
RUN npm ci --ignore-scripts --omit=dev

FROM deps AS build
COPY nest-cli.json tsconfig.base.json tsconfig.json tsconfig.app.json ./
COPY src src
COPY libs libs
COPY packages packages
COPY apps apps
COPY tools/compile.mjs tools/bundle.mjs tools/bundle-console.mjs tools/launch.mjs tools/*.cjs tools/
RUN npm run build

FROM deps AS production
# They only build.
RUN rm -rf node_modules/typescript node_modules/esbuild node_modules/@esbuild

FROM node:22-bookworm-slim AS runtime
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data INBOX_DEMO=off
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/packages/embedded-mongo packages/embedded-mongo
COPY package.json LICENSE ./
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/v1/health-check`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# A young generation for whole batches, as in `npm start`.
CMD ["node", "--max-semi-space-size=32", "dist/bundle/main.js"]
