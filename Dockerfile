# One image for every role; ROLES says which. docs/scaling.md shows how to run it.
FROM node:24-slim AS web
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.base.json ./
COPY src ./src
COPY docs ./docs
RUN node node_modules/vite/bin/vite.js build src/web

FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts and optional packages: the image brings Node itself, and the database runs elsewhere.
RUN npm ci --ignore-scripts --omit=dev --omit=optional
COPY src ./src
COPY sql ./sql
COPY scripts ./scripts
COPY --from=web /app/dist ./dist
RUN mkdir /data && chown node:node /data
ENV DATA_DIR=/data
USER node
EXPOSE 3000
CMD ["node", "src/server/main.ts"]
