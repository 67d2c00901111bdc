# docker build -t openkruise-agents-console .
# docker build -t openkruise-agents-console:demo --build-arg WITH_EMBEDDED=1 .   (brings the embedded cluster: for demonstrations)
ARG WITH_EMBEDDED=0

FROM node:24-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
ENV NEXT_TELEMETRY_DISABLED=1
RUN node node_modules/next/dist/bin/next build

# One file. It reads ../../schemas, starts the Python interpreter from files beside itself, and finds Pyodide as a package.
FROM build AS embedded
RUN node_modules/.bin/esbuild server/embedded/main.ts --bundle --platform=node --format=esm --target=node20 \
      --banner:js="import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);" \
      --outfile=/out/cluster/bin/main.mjs \
 && cp -r server/embedded/schemas /out/schemas \
 && cp server/embedded/e2b/runtime/python/*.mjs server/embedded/e2b/runtime/python/*.py /out/cluster/bin/ \
 && mkdir /out/node_modules \
 && cp -r node_modules/pyodide /out/node_modules/

FROM node:24-slim AS console-0
WORKDIR /app
COPY --from=build /src/.next/standalone ./
COPY --from=build /src/.next/static ./.next/static
COPY --from=build /src/public ./public
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 PORT=3000 HOME=/tmp \
    CONSOLE_DATA_DIR=/tmp/openkruise-agents-console
# Kubernetes wants a number to see that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# A Pod sets HOSTNAME to its own name; the server would then not listen on the loopback address.
CMD ["env", "HOSTNAME=0.0.0.0", "node", "server.js"]

FROM console-0 AS console-1
COPY --from=embedded /out ./embedded
ENV CONSOLE_KUBECONFIG=/tmp/cluster/kubeconfig CONSOLE_EMBEDDED=1 \
    E2B_API_URL=http://127.0.0.1:3001 E2B_SANDBOX_URL=http://127.0.0.1:3002
# What an earlier start left says nothing of this one.
CMD ["sh", "-c", "rm -rf /tmp/cluster; node embedded/cluster/bin/main.mjs --dir /tmp/cluster --e2b-port 3001 --gateway-port 3002 & until [ -s /tmp/cluster/kubeconfig ] && [ -s /tmp/cluster/e2b-key ]; do sleep 0.1; done; export E2B_API_KEY=\"$(cat /tmp/cluster/e2b-key)\"; exec env HOSTNAME=0.0.0.0 node server.js"]

FROM console-${WITH_EMBEDDED}
