import { listCodeLines } from "../../../commons/code-index/code-lines.ts";
import { detectLanguage, type Ecosystem } from "../../../commons/code-index/languages.ts";
import { visible } from "../../../kernel/text/visible.ts";

const maxPlaces = 2;
const maxLength = 400;
const plainUse = "Uses ";

/** What well-known packages are for, by the names that code imports. Go and Java import parts of a package. */
const purposes: Record<string, string> = {
  "HTTP handling":
    "express fastify koa hono flask fastapi aiohttp actix_web axum rocket warp net/http github.com/gin-gonic/gin github.com/labstack/echo github.com/go-chi/chi org.springframework.web io.ktor.server jakarta.ws.rs",
  "the web application": "next nuxt astro django org.springframework.boot io.quarkus",
  "HTTP requests": "axios got node-fetch undici requests httpx reqwest",
  "user interfaces": "react vue svelte solid-js preact @angular/core",
  schemas: "zod yup joi valibot ajv pydantic marshmallow",
  serialization: "serde serde_json encoding/json com.fasterxml.jackson com.google.gson kotlinx.serialization",
  "the database":
    "kysely knex drizzle-orm @prisma/client typeorm sequelize mongoose pg better-sqlite3 sqlalchemy psycopg psycopg2 sqlx diesel rusqlite database/sql gorm.io/gorm github.com/jackc/pgx jakarta.persistence org.hibernate",
  tests:
    "vitest jest mocha @playwright/test pytest hypothesis github.com/stretchr/testify org.junit io.kotest org.mockito org.assertj",
  "asynchronous work": "tokio async_std futures kotlinx.coroutines",
  errors: "anyhow thiserror",
  "command lines": "commander yargs click typer clap github.com/spf13/cobra",
  logging: "pino winston structlog loguru tracing log/slog go.uber.org/zap org.slf4j",
};

/** Ways of writing that show in single lines: at least `min` of them in a file. Part of a task's context (`related_code_patterns`). */
const idioms: { ecosystem: Ecosystem; name: string; line: RegExp; min?: number }[] = [
  { ecosystem: "rust", name: "Arc<Mutex<…>> for shared state", line: /\bArc<(?:\w+::){0,3}(?:Mutex|RwLock)</ },
  { ecosystem: "rust", name: "serde derives on types", line: /^\s*#\[derive\([^)]{0,300}(?:Serialize|Deserialize)/ },
  { ecosystem: "rust", name: "unit tests beside the code (#[cfg(test)])", line: /^\s*#\[cfg\(test\)\]/ },
  { ecosystem: "javascript", name: "React hooks", line: /\buse(?:State|Effect|Memo|Callback|Ref|Reducer|Context)\(/ },
  { ecosystem: "javascript", name: "CommonJS modules (module.exports)", line: /^module\.exports\b/ },
  {
    ecosystem: "javascript",
    name: "routes on a router object",
    line: /^\s*(?:app|router|server|fastify)\.(?:get|post|put|delete|patch)\(/,
  },
  {
    ecosystem: "javascript",
    name: "tests with describe/it/test",
    line: /^\s*(?:describe|it|test)(?:\.\w+)?\(/,
    min: 2,
  },
  { ecosystem: "python", name: "dataclasses", line: /^@(?:dataclasses\.)?dataclass\b/ },
  { ecosystem: "python", name: "pytest fixtures", line: /^@pytest\.fixture\b/ },
  { ecosystem: "python", name: "routes by decorators", line: /^@\w+\.(?:route|get|post|put|delete|patch)\(/ },
  { ecosystem: "python", name: "type hints on functions", line: /^\s*(?:async )?def \w+\(.{0,300}\) -> /, min: 2 },
  { ecosystem: "go", name: "errors wrapped with %w", line: /\bfmt\.Errorf\("[^"]{0,200}%w/ },
  {
    ecosystem: "go",
    name: "table-driven tests",
    line: /\b(?:tests|cases|testCases) := (?:\[\]|map\[string\])struct \{/,
  },
  { ecosystem: "java", name: "Spring components", line: /^\s*@(?:RestController|Controller|Service|Repository)\b/ },
  { ecosystem: "java", name: "JPA entities", line: /^\s*@Entity\b/ },
  { ecosystem: "java", name: "JUnit tests (@Test)", line: /^\s*@Test\b/ },
];

/** A file that was read. `packages`: the packages that it imports, under the names that the project's manifests have. */
export type ReadSource = { path: string; text: string; imports: readonly string[]; packages: readonly string[] };

/** Patterns of the code, each found in at least one of these files; those of the first files come first. */
export function findPatterns(sources: readonly ReadSource[]): string[] {
  const found = new Map<string, string[]>();
  for (const source of sources) {
    for (const name of new Set([...describeUses(source), ...findIdioms(source)])) {
      const places = found.get(name);
      if (places) places.push(source.path);
      else found.set(name, [source.path]);
    }
  }
  const ranked = [...found].map(([name, places], index) => {
    // A package without a known purpose says less.
    const weight = name.startsWith(plainUse) && !name.includes(" for ") ? places.length / 4 : places.length;
    return { name, places, rank: weight - index / 4 };
  });
  return ranked
    .sort((a, b) => b.rank - a.rank)
    .map(({ name, places }) => `${visible(name)} (${describePlaces(places)})`.slice(0, maxLength));
}

function describeUses({ path, imports, packages }: ReadSource): string[] {
  const ecosystem = detectLanguage(path)?.ecosystem;
  if (!ecosystem) return [];
  const known = imports.flatMap((imported) => findPurpose(ecosystem, imported) ?? []);
  const others = packages.filter((name) => !findPurpose(ecosystem, toImportedName(ecosystem, name)));
  return [
    ...known.map(({ name, purpose }) => {
      const declared = packages.find((one) => toImportedName(ecosystem, one) === name) ?? name;
      return `${plainUse}${declared} for ${purpose}`;
    }),
    ...others.map((name) => plainUse + name),
  ];
}

const packagePurposes = Object.entries(purposes).flatMap(([purpose, names]) =>
  names.split(" ").map((name) => ({ name, purpose })),
);

function findPurpose(ecosystem: Ecosystem, imported: string): { name: string; purpose: string } | undefined {
  const separator = ecosystem === "go" ? "/" : ecosystem === "java" ? "." : undefined;
  return packagePurposes.find(
    ({ name }) => imported === name || (separator !== undefined && imported.startsWith(name + separator)),
  );
}

/** Rust imports `actix-web` as `actix_web`. */
function toImportedName(ecosystem: Ecosystem, name: string): string {
  return ecosystem === "rust" ? name.replaceAll("-", "_") : name;
}

function findIdioms({ path, text }: ReadSource): string[] {
  const ecosystem = detectLanguage(path)?.ecosystem;
  const own = idioms.filter((idiom) => idiom.ecosystem === ecosystem);
  if (own.length === 0) return [];
  const lines = listCodeLines(path, text);
  return own
    .filter(({ line, min = 1 }) => {
      let left = min;
      return lines.some((code) => line.test(code) && --left === 0);
    })
    .map(({ name }) => name);
}

function describePlaces(places: readonly string[]): string {
  const some = places.slice(0, maxPlaces).map(visible).join(", ");
  return places.length > maxPlaces ? `${some} and ${places.length - maxPlaces} more` : some;
}
