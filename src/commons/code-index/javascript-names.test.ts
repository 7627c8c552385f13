import { expect, test } from "vitest";
import { readJavaScriptNames } from "./javascript-names.ts";
import { ProjectIndex } from "./project-index.ts";
import { resolveImport } from "./resolve-import.ts";

async function resolverOf(files: Record<string, string>) {
  const names = Object.keys(files);
  const javaScript = await readJavaScriptNames(names, (path) => files[path]);
  const index = new ProjectIndex(names, { javaScript });
  return (from: string, specifier: string) => resolveImport(from, specifier, index);
}

test("path aliases of tsconfig.json: with comments, by extends, the nearest first", async () => {
  const resolve = await resolverOf({
    "tsconfig.base.json":
      '{ // shared\n "compilerOptions": { "paths": { "@/*": ["./src/*"], "config": ["./src/settings.ts"], }, } }',
    "tsconfig.json": '{ "extends": "./tsconfig.base.json" }',
    "app/tsconfig.json": '{ "compilerOptions": { "baseUrl": "lib", "paths": { "@/*": ["*", "../generated/*"] } } }',
    "src/sum.ts": "",
    "src/settings.ts": "",
    "src/ui/index.tsx": "",
    "app/lib/sum.ts": "",
    "app/generated/client.ts": "",
  });
  expect(resolve("src/main.ts", "@/sum")).toEqual(["src/sum.ts"]);
  expect(resolve("src/main.ts", "@/sum.js")).toEqual(["src/sum.ts"]);
  expect(resolve("src/main.ts", "@/ui")).toEqual(["src/ui/index.tsx"]);
  expect(resolve("src/main.ts", "config")).toEqual(["src/settings.ts"]);
  expect(resolve("app/page.ts", "@/sum")).toEqual(["app/lib/sum.ts"]);
  expect(resolve("app/page.ts", "@/client")).toEqual(["app/generated/client.ts"]);
  expect(resolve("app/page.ts", "sum")).toEqual(["app/lib/sum.ts"]);
  expect(resolve("src/main.ts", "react")).toEqual([]);
});

test("packages of a workspace: what they offer, or the sources that it is built from", async () => {
  const resolve = await resolverOf({
    "packages/core/package.json":
      '{"name": "@shop/core", "exports": {".": {"types": "./dist/index.d.ts", "default": "./dist/index.mjs"}, "./cart": "./dist/cart.js", "./ui/*": "./src/ui/*.tsx"}}',
    "packages/core/src/index.ts": "",
    "packages/core/src/cart.ts": "",
    "packages/core/src/ui/button.tsx": "",
    "packages/plain/package.json":
      '{"name": "plain", "main": "lib/main.js", "imports": {"#inner/*": "./lib/inner/*.js"}}',
    "packages/plain/lib/main.js": "",
    "packages/plain/lib/inner/x.js": "",
    "packages/plain/extra.js": "",
  });
  expect(resolve("apps/web/a.ts", "@shop/core")).toEqual(["packages/core/src/index.ts"]);
  expect(resolve("apps/web/a.ts", "@shop/core/cart")).toEqual(["packages/core/src/cart.ts"]);
  expect(resolve("apps/web/a.ts", "@shop/core/ui/button")).toEqual(["packages/core/src/ui/button.tsx"]);
  expect(resolve("apps/web/a.ts", "plain")).toEqual(["packages/plain/lib/main.js"]);
  expect(resolve("apps/web/a.ts", "plain/extra")).toEqual(["packages/plain/extra.js"]);
  expect(resolve("packages/plain/lib/main.js", "#inner/x")).toEqual(["packages/plain/lib/inner/x.js"]);
  expect(resolve("apps/web/a.ts", "#inner/x")).toEqual([]);
  expect(resolve("apps/web/a.ts", "plainer")).toEqual([]);
});

test.each(['{"a": "b // c", "d": [1, 2,],}', "{", "", '{"compilerOptions": 7}', '{"extends": "./tsconfig.json"}'])(
  "settings that are odd or broken do no harm: %s",
  async (text) => {
    const resolve = await resolverOf({ "tsconfig.json": text, "package.json": text, "src/a.ts": "" });
    expect(resolve("src/b.ts", "./a")).toEqual(["src/a.ts"]);
    expect(resolve("src/b.ts", "a")).toEqual([]);
  },
);

test.each([
  [
    "aliases",
    "tsconfig.json",
    (many: number[]) => ({ compilerOptions: { paths: Object.fromEntries(many.map((at) => [`w*${at}`, ["b"]])) } }),
  ],
  [
    "targets of an alias",
    "tsconfig.json",
    (many: number[]) => ({ compilerOptions: { paths: { "w*": many.map((at) => `b${at}`) } } }),
  ],
  [
    "targets of a package",
    "package.json",
    (many: number[]) => ({ name: "w", exports: { "./*": many.map((at) => `b${at}/*`) } }),
  ],
] as const)("very many %s are compared with few", async (_what, file, settings) => {
  const many = Array.from({ length: 200_000 }, (_, at) => at);
  const resolve = await resolverOf({ [file]: JSON.stringify(settings(many)), "src/a.ts": "" });
  const started = process.cpuUsage();
  for (let at = 0; at < 200; at++) expect(resolve("src/a.ts", `w/${at}`)).toEqual([]);
  expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(6);
});

test("settings that extend those at the root count once, and those with other ones above them in full", async () => {
  const paths = { "@/*": ["./src/*"] };
  const files = {
    "tsconfig.json": JSON.stringify({ compilerOptions: { baseUrl: ".", paths } }),
    "apps/a/tsconfig.json": '{"extends": "../../tsconfig.json"}',
    "apps/b/tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./lib/*"]}}}',
    "apps/b/inner/tsconfig.json": '{"extends": "../../../tsconfig.json"}',
  };
  const { aliases, isCut } = await readJavaScriptNames(Object.keys(files), (path) => files[path as keyof typeof files]);
  expect(isCut).toBe(false);
  expect(aliases.map(({ folder, pattern }) => `${folder} ${pattern}`)).toEqual([
    "apps/b/inner @/*",
    "apps/b/inner *",
    "apps/b @/*",
    " @/*",
    " *",
  ]);
});
