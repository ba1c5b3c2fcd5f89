# A Loopwright worker. Debian, because the Temporal SDK's native part needs glibc; Node 24 runs the TypeScript as it is.
FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force
COPY tsconfig.json ./
COPY src ./src
USER node
# Not through npm: signals must reach the worker, which drains on SIGTERM.
ENTRYPOINT ["node", "src/cli.ts"]
CMD ["worker"]
