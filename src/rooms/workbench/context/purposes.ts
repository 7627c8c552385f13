import type { Ecosystem } from "../../../commons/code-index/languages.ts";

/** What packages are for, in words that go on after their name. Those that everybody knows are enough. */
const purposes: Record<Ecosystem, Record<string, string>> = {
  javascript: {
    "HTTP handling": "express fastify koa hono @nestjs/core @nestjs/common @hapi/hapi",
    "HTTP requests": "axios got node-fetch undici ky superagent",
    "user interfaces": "react vue svelte solid-js preact @angular/core",
    pages: "next nuxt astro",
    routing: "react-router react-router-dom vue-router wouter",
    state: "redux @reduxjs/toolkit zustand jotai mobx pinia recoil",
    "fetching data": "@tanstack/react-query swr @apollo/client",
    schemas: "zod yup joi valibot ajv io-ts",
    tests: "vitest jest mocha @jest/globals @playwright/test cypress supertest",
    "database queries": "kysely knex drizzle-orm",
    "the database": "@prisma/client typeorm sequelize mongoose pg mysql2 better-sqlite3 mongodb redis ioredis",
    "JSON Web Tokens": "jsonwebtoken jose",
    "password hashes": "bcrypt bcryptjs argon2",
    logging: "pino winston",
    "command lines": "commander yargs cac",
    dates: "dayjs date-fns luxon moment",
    styles: "styled-components @emotion/react tailwindcss",
    MCP: "@modelcontextprotocol/sdk @modelcontextprotocol/server",
  },
  python: {
    "HTTP handling": "flask fastapi starlette tornado aiohttp sanic",
    "the web application": "django",
    "HTTP requests": "requests httpx",
    models: "pydantic attrs marshmallow",
    "the database": "sqlalchemy peewee psycopg psycopg2 pymongo redis asyncpg",
    tests: "pytest hypothesis",
    arrays: "numpy",
    "tables of data": "pandas polars",
    "machine learning": "torch tensorflow sklearn transformers",
    "command lines": "click typer",
    "background jobs": "celery rq",
    logging: "structlog loguru",
    "JSON Web Tokens": "jwt jose",
  },
  rust: {
    "HTTP handling": "actix_web axum rocket warp hyper poem tide",
    "HTTP requests": "reqwest ureq",
    serialization: "serde",
    JSON: "serde_json",
    "asynchronous work": "tokio async_std futures",
    errors: "anyhow thiserror eyre",
    "command lines": "clap structopt",
    "the database": "sqlx diesel rusqlite mongodb redis sea_orm",
    logging: "tracing log env_logger",
    "JSON Web Tokens": "jsonwebtoken",
    dates: "chrono time",
    identifiers: "uuid",
    "parallel work": "rayon",
    gRPC: "tonic",
  },
  go: {
    "HTTP handling":
      "net/http github.com/gin-gonic/gin github.com/labstack/echo github.com/gofiber/fiber github.com/go-chi/chi github.com/gorilla/mux",
    "the database": "database/sql gorm.io/gorm github.com/jmoiron/sqlx github.com/jackc/pgx",
    "command lines": "github.com/spf13/cobra github.com/urfave/cli",
    tests: "github.com/stretchr/testify",
    logging: "log/slog go.uber.org/zap github.com/sirupsen/logrus github.com/rs/zerolog",
    JSON: "encoding/json",
    gRPC: "google.golang.org/grpc",
    "JSON Web Tokens": "github.com/golang-jwt/jwt",
  },
  java: {
    "HTTP handling": "org.springframework.web io.ktor.server jakarta.ws.rs javax.ws.rs io.javalin",
    "the application": "org.springframework.boot io.quarkus io.micronaut",
    "the database": "jakarta.persistence javax.persistence org.springframework.data org.hibernate org.jooq",
    JSON: "com.fasterxml.jackson com.google.gson kotlinx.serialization",
    tests: "org.junit org.testng io.kotest org.mockito io.mockk org.assertj",
    "less boilerplate": "lombok",
    logging: "org.slf4j",
    coroutines: "kotlinx.coroutines",
  },
};

let table: Map<string, { name: string; purpose: string }[]> | undefined;

function entriesOf(ecosystem: Ecosystem): { name: string; purpose: string }[] {
  table ??= new Map(
    Object.entries(purposes).map(([key, byPurpose]) => [
      key,
      Object.entries(byPurpose).flatMap(([purpose, names]) => names.split(" ").map((name) => ({ name, purpose }))),
    ]),
  );
  return table.get(ecosystem) ?? [];
}

/** A package's name in imports and what it is for; in Go and Java an import names something inside it. */
export function purposeOf(ecosystem: Ecosystem, imported: string): { name: string; purpose: string } | undefined {
  const separator = ecosystem === "go" ? "/" : ".";
  const isExact = ecosystem !== "go" && ecosystem !== "java";
  return entriesOf(ecosystem).find(
    ({ name }) => imported === name || (!isExact && imported.startsWith(name + separator)),
  );
}
