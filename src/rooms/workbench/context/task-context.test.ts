import fc from "fast-check";
import { expect, it } from "vitest";
import { writeFiles } from "../../../../test/harness/git/git.ts";
import { projectOf, taskOf } from "../../../../test/harness/rooms/workbench/workbench-project.ts";
import type { Task } from "../model/task-model.ts";
import { readTaskContext, type TaskContext } from "./task-context.ts";

const { signal } = new AbortController();

type Project = Pick<ReturnType<typeof projectOf>, "git" | "folder">;

function contextOf({ git, folder }: Project, said: Partial<Task>, budgetTokens = 4_000) {
  return readTaskContext({ git, projectRoot: folder }, taskOf(said), { budgetTokens, signal });
}

const rust = {
  "Cargo.toml": '[package]\nname = "forge"\n[dependencies]\nactix-web = "4"\nserde = "1"\nunused = "1"\n',
  "Cargo.lock": "# made by cargo\n",
  "src/main.rs":
    "use actix_web::{web, App};\nuse std::sync::{Arc, Mutex};\nmod models;\n\ntype State = Arc<Mutex<Vec<models::Task>>>;\n\nfn main() {}\n",
  "src/models.rs":
    "//! Data models for blocks and tasks.\n//! More of it.\nuse serde::{Deserialize, Serialize};\n\n#[derive(Clone, Serialize, Deserialize)]\npub struct Task { id: String }\n",
  "src/user.rs": "/// A user with a password.\npub struct User;\nuse crate::models::Task;\n",
  "src/far/away.rs": "// Arc<RwLock<u8>> is not used here\npub fn far() {}\n",
  "tests/user_test.rs": "use forge::user::User;\n",
  "docs/unrelated.md": "# Cooking\n",
};

it("tells which files bear on a task, with a line on each, and what is met in the code", async () => {
  const found = await contextOf(projectOf(rust), {
    name: "Add user authentication",
    description: "Implement JWT",
    files_affected: ["src/auth.rs", "./src/user.rs"],
  });
  expect(found.existing_files).toEqual({
    "src/user.rs": "A user with a password; exports User",
    "tests/user_test.rs": "Rust, 1 line",
    "src/models.rs": "Data models for blocks and tasks; exports Task",
    "src/main.rs": "Entry point with actix-web",
    "Cargo.toml": "Manifest of the rust package forge, 3 dependencies",
  });
  expect(Object.keys(found.existing_files)[0]).toBe("src/user.rs");
  expect(found.related_code_patterns.toSorted()).toEqual([
    "Arc<Mutex<…>> for shared state (src/main.rs)",
    "Uses actix-web for HTTP handling (src/main.rs)",
    "Uses serde for serialization (src/models.rs)",
    "serde derives on types (src/models.rs)",
  ]);
  expect(found.omitted).toEqual([]);
});

it("follows imports both ways in TypeScript, and finds files by the words of the task", async () => {
  const project = projectOf({
    "package.json": JSON.stringify({
      name: "shop",
      description: "Sells things",
      dependencies: { zod: "4", "left-thing": "1" },
    }),
    "src/cart/total.ts": 'import { price } from "../money/price.js";\nexport function total() {}\n',
    "src/money/price.ts": 'import { z } from "zod";\n\nexport const price = z.object({ amount: z.number() });\n',
    "src/pages/checkout.ts":
      'import { total } from "../cart/total.ts";\nimport left from "left-thing";\nexport class Checkout {}\n',
    "src/other/weather.ts": "export const rain = 1;\n",
    "src/discounts/voucherRules.ts": "/** When a voucher counts. */\nexport const rules = [];\n",
    "src/cart/total.test.ts": 'import { it } from "vitest";\n',
  });
  const found = await contextOf(project, {
    name: "Vouchers at the checkout",
    files_affected: ["src/cart/total.ts"],
  });
  expect(found.existing_files).toMatchObject({
    "src/cart/total.ts": "exports total",
    "src/cart/total.test.ts": expect.any(String),
    "src/money/price.ts": "exports price",
    "src/pages/checkout.ts": "exports Checkout",
    "src/discounts/voucherRules.ts": "When a voucher counts; exports rules",
    "package.json": "Manifest of the javascript package shop, 2 dependencies",
  });
  expect(found.existing_files).not.toHaveProperty("src/other/weather.ts");
  expect(found.related_code_patterns).toEqual(
    expect.arrayContaining([
      "Uses zod for schemas (src/money/price.ts)",
      "Uses vitest for tests (src/cart/total.test.ts)",
      "Uses left-thing (src/pages/checkout.ts)",
    ]),
  );
});

it("follows imports of Python, Go and Java", async () => {
  const python = await contextOf(
    projectOf({
      "shop/cart.py": '"""The cart of a customer.\n\nMore.\n"""\nfrom .money import Price\n\n\nclass Cart:\n    pass\n',
      "shop/money.py": "from dataclasses import dataclass\n\n@dataclass\nclass Price:\n    amount: int\n",
      "lib/far.py": "import os\n",
    }),
    { files_affected: ["shop/cart.py"] },
  );
  expect(python.existing_files).toEqual({
    "shop/cart.py": "The cart of a customer; exports Cart",
    "shop/money.py": "exports Price",
  });
  expect(python.related_code_patterns).toContain("dataclasses (shop/money.py)");
  const go = await contextOf(
    projectOf({
      "go.mod": "module example.org/shop\n",
      "cmd/serve/run.go": 'package main\n\nimport (\n\t"net/http"\n\n\t"example.org/shop/money"\n)\n\nfunc Run() {}\n',
      "money/price.go": "// Package money counts coins. Carefully.\npackage money\n\nfunc Price() {}\n",
    }),
    { files_affected: ["cmd/serve/run.go"] },
  );
  expect(go.existing_files["money/price.go"]).toBe("Package money counts coins; exports Price");
  expect(go.related_code_patterns).toContain("Uses net/http for HTTP handling (cmd/serve/run.go)");
  const java = await contextOf(
    projectOf({
      "src/main/java/org/shop/Cart.java": "package org.shop;\n\nimport org.shop.money.Price;\n\npublic class Cart {}\n",
      "src/main/java/org/shop/money/Price.java":
        "/* Copyright by us. */\npackage org.shop.money;\n\n/** What it costs. */\npublic record Price(int amount) {}\n",
    }),
    { files_affected: ["src/main/java/org/shop/Cart.java"] },
  );
  expect(java.existing_files["src/main/java/org/shop/money/Price.java"]).toBe("What it costs; exports Price");
});

it("sees files that are not committed yet, not those git ignores, and none that lead out", async () => {
  const project = projectOf({ ".gitignore": "secret.py\n" });
  writeFiles(project.folder, { "auth.py": '"""Who may come in."""\n', "secret.py": '"""auth secret"""\n' });
  writeFiles(project.sandbox.root, { "outside.py": '"""Outside."""\n' });
  project.link("linked.py", "../outside.py");
  const found = await contextOf(project, {
    name: "auth",
    files_affected: ["auth.py", "secret.py", "linked.py", "../outside.py"],
  });
  expect(found.existing_files).toEqual({ "auth.py": "Who may come in" });
});

it("shows every file that the task names, whatever its kind", async () => {
  const project = projectOf({
    Dockerfile: "FROM scratch\n",
    ".github/workflows/ci.yml": "# Builds and tests\non: push\n",
    "package-lock.json": "{}",
    "vendor/lib/patched.go": "package lib\n",
    "docs/guide.adoc": "= Guide\n",
    "src/deep/route.go": "package deep\n",
    "data/notes.weird": "one\n",
    "CHANGELOG.md": "# Changes\n",
    "src/other.ts": "export {};\n",
  });
  project.put("logo.png", new Uint8Array([137, 80, 78, 71, 0, 0]));
  project.run("add", "--all");
  const found = await contextOf(project, {
    name: "Ship it",
    description: "Change the Dockerfile, deep/route.go and `CHANGELOG.md`. Use the new logo.png!",
    files_affected: [
      "package-lock.json",
      ".github/workflows/ci.yml",
      "vendor/lib/patched.go",
      "docs/guide.adoc",
      "data/notes.weird",
    ],
  });
  expect(Object.keys(found.existing_files).toSorted()).toEqual([
    ".github/workflows/ci.yml",
    "CHANGELOG.md",
    "Dockerfile",
    "data/notes.weird",
    "docs/guide.adoc",
    "logo.png",
    "package-lock.json",
    "src/deep/route.go",
    "vendor/lib/patched.go",
  ]);
  expect(found.existing_files["logo.png"]).toBe("File, not text");
});

it("ranks by content with identifiers split into words, before names that only sound alike", async () => {
  const project = projectOf({
    "src/core/engine.py": "class Engine:\n    def resolve_default_map(self):\n        return split_values(self)\n",
    "src/maps/default.py": "# nothing about it\nx = 1\n",
    "src/other.py": "y = 2\n",
  });
  const found = await contextOf(project, { name: "Split values of defaultMap" });
  expect(Object.keys(found.existing_files)[0]).toBe("src/core/engine.py");
  expect(found.existing_files).not.toHaveProperty("src/other.py");
});

it("learns from git history what was changed for similar tasks, and together", async () => {
  const project = projectOf({
    "a/alpha.ts": "export const a = 1;\n",
    "b/beta.ts": "export const b = 1;\n",
    "c.ts": "\n",
  });
  for (const round of [2, 3, 4]) {
    project.put("a/alpha.ts", `export const a = ${round};\n`);
    project.put("b/beta.ts", `export const b = ${round};\n`);
    project.run("commit", "--quiet", "--all", "--message", `Fix rounding of invoices (${round})`);
  }
  const found = await contextOf(project, { name: "Invoices are rounded wrongly" });
  expect(Object.keys(found.existing_files)).toEqual(["a/alpha.ts", "b/beta.ts"]);
  expect(Object.keys((await contextOf(project, { files_affected: ["a/alpha.ts"] })).existing_files)).toEqual([
    "a/alpha.ts",
    "b/beta.ts",
  ]);
});

it("takes patterns from the code that counts, not from benchmarks, fixtures and examples", async () => {
  const project = projectOf({
    "package.json": '{"dependencies": {"zod": "4"}, "devDependencies": {"express": "4", "fastify": "5", "koa": "2"}}',
    "src/router.ts": 'import { z } from "zod";\nexport const router = z.object({});\n',
    "benchmarks/router.ts": 'import express from "express";\nexport const router = express();\n',
    "test/fixtures/router.ts": 'import fastify from "fastify";\nexport const router = fastify();\n',
    "examples/router.ts": 'import koa from "koa";\nexport const router = koa();\n',
    "src/router.bench.ts": 'import koa from "koa";\nexport const router = koa();\n',
  });
  const { related_code_patterns: patterns, existing_files: files } = await contextOf(project, {
    name: "Faster router",
  });
  expect(patterns).toEqual(["Uses zod for schemas (src/router.ts)"]);
  expect(Object.keys(files)[0]).toBe("src/router.ts");
  const named = await contextOf(project, { name: "Router", files_affected: ["benchmarks/router.ts"] });
  expect(named.related_code_patterns).toContain("Uses express for HTTP handling (benchmarks/router.ts)");
});

it("finds the file in a repository of more files than are read", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 1_700 }, (_, index) => [`pages/p${index}.ts`, `export const page = ${index};\n`]),
  );
  const project = projectOf({ ...many, "zz/last.ts": "export function chargeInvoice() {}\n" });
  const found = await contextOf(project, { name: "Charge an invoice twice" });
  expect(Object.keys(found.existing_files)[0]).toBe("zz/last.ts");
});

it("names a file that is too large without reading it", async () => {
  const project = projectOf({ "src/big.ts": `export const a = "${"x".repeat(300_000)}";\n` });
  const found = await contextOf(project, { files_affected: ["src/big.ts"] });
  expect(found.existing_files).toEqual({ "src/big.ts": "Typescript, 293 KB: too large to read here" });
});

it("finds nothing in an empty repository, and nothing is wrong with that", async () => {
  expect(await contextOf(projectOf({}), { name: "x", files_affected: ["a.ts"] })).toEqual({
    existing_files: {},
    related_code_patterns: [],
    omitted: [],
  });
});

/** How many things are told or named, or at least counted. */
function toldOf({ existing_files, related_code_patterns, omitted }: TaskContext): number {
  const [, more] = /^and (\d+) more$/.exec(omitted.at(-1) ?? "") ?? [];
  const unnamed = more === undefined ? 0 : Number(more) - 1;
  return Object.keys(existing_files).length + related_code_patterns.length + omitted.length + unnamed;
}

it("stays within its budget whatever is asked, and says what it left out", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [
      `src/auth/part${index}.ts`,
      `/** Part "${index}" of the authentication. */\nimport { z } from "zod";\nexport const part${index} = z.object({});\n`,
    ]),
  );
  const project = projectOf({ ...many, "package.json": '{"dependencies":{"zod":"4"}}' });
  const said = { name: "Change the authentication", files_affected: ["src/auth/part7.ts"] };
  const everything = toldOf(await contextOf(project, said, 100_000));
  expect(everything).toBeGreaterThan(30);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 16, max: 3_000 }), async (tokens) => {
      const found = await contextOf(project, said, tokens);
      expect(JSON.stringify(found).length).toBeLessThanOrEqual(tokens * 4);
      if (tokens >= 22) expect(toldOf(found)).toBe(everything);
    }),
    { numRuns: 15 },
  );
  const small = await contextOf(project, said, 60);
  expect(Object.keys(small.existing_files)[0]).toEqual("src/auth/part7.ts");
  expect(small.omitted.at(-1)).toMatch(/^and \d+ more$/);
});

it("stops when it is told to", async () => {
  const project = projectOf(rust);
  const aborted = AbortSignal.abort(new Error("enough"));
  const options = { budgetTokens: 100, signal: aborted };
  await expect(
    readTaskContext({ git: project.git, projectRoot: project.folder }, taskOf({}), options),
  ).rejects.toThrow();
});
