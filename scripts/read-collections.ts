/**
 * `tsx scripts/read-collections.ts FOLDER…`: reads every agent, skill, tool and MCP server of checkouts as the registry does,
 * writes each in every form, reads that back and compares. Prints counts and warnings; exits with 1 if something was lost.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { bodyFields, type Definition } from "../src/rooms/registry/client/definitions/definition.ts";
import { DefinitionFault, parseDefinition } from "../src/rooms/registry/client/definitions/parse-definition.ts";
import { validateDefinition } from "../src/rooms/registry/client/definitions/validate-definition.ts";
import { exportDefinition, exportForms } from "../src/rooms/registry/client/formats/export-definition.ts";
import { findManifest, localPlugins } from "../src/rooms/registry/client/plugins/manifest.ts";
import type { Kind } from "../src/rooms/registry/client/types.ts";

const named = /(?:^|\/)(?:(agent|tool)\.(?:md|ya?ml)|SKILL\.md|server\.json)$/;
const inFolder = /(?:^|\/)(agents|tools|categories)\/(?:[^/]+\/)?[^/]+\.(?:md|ya?ml)$/;

function kindOf(path: string): Kind | undefined {
  if (/(?:^|\/)(?:README|CHANGELOG|INDEX|CLAUDE)\.md$/i.test(path)) return undefined;
  const found = named.exec(path);
  if (found) return found[1] === "tool" || path.endsWith("server.json") ? "tool" : "agent";
  return inFolder.exec(path)?.[1] === "tools" ? "tool" : inFolder.test(path) ? "agent" : undefined;
}

/** What a definition is, apart from where its text breaks. */
function contentOf({ kind, name, version, fields }: Definition): object {
  const { [bodyFields[kind]]: body, ...rest } = fields;
  return { kind, name, version, body: typeof body === "string" ? body.trim() : body, ...rest, type: kind };
}

const totals = { lost: 0 };
for (const folder of process.argv.slice(2)) {
  const paths = execFileSync("git", ["-C", folder, "ls-files", "-z"], { encoding: "utf8", maxBuffer: 1 << 28 }).split(
    "\0",
  );
  const count = { files: 0, agents: 0, tools: 0, other: 0, faults: 0, invalid: 0, exports: 0, lost: 0 };
  const warnings = new Map<string, number>();
  const note = (text: string) => warnings.set(text, (warnings.get(text) ?? 0) + 1);
  for (const path of paths) {
    const kind = kindOf(path);
    if (!kind) continue;
    count.files++;
    try {
      const text = readFileSync(join(folder, path), "utf8");
      const own = basename(path).replace(/\.\w+$/, "");
      const fallbackName = named.test(path) ? basename(dirname(path)) : own;
      const definition = parseDefinition(text, { path, kind, fallbackName });
      count[`${definition.kind}s`]++;
      const report = validateDefinition(definition, path, { strict: false, kind: definition.kind });
      if (!report.valid) count.invalid++;
      for (const { message } of report.errors) note(`error: ${message}`);
      for (const { message } of report.warnings) note(message.replace(/"[^"]*"/g, '"…"'));
      for (const form of exportForms) {
        count.exports++;
        const main = exportDefinition(definition, form).find((file) => !file.path.endsWith("plugin.json"));
        const back = parseDefinition(main?.text ?? "", { path: main?.path ?? "", kind: definition.kind });
        const [before, after] = [contentOf(definition), contentOf(back)];
        if (isDeepStrictEqual(JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after)))) continue;
        count.lost++;
        totals.lost++;
        console.log(`LOST  ${path} as ${form}`);
      }
    } catch (error) {
      if (!(error instanceof DefinitionFault)) throw error;
      if (error.message.startsWith("it has no front matter")) count.other++;
      else {
        count.faults++;
        console.log(`FAULT ${path}: ${error.message}`);
      }
    }
  }
  const plugins = localPlugins(folder).filter((plugin) => plugin.listed ?? findManifest(plugin.folder)).length;
  console.log(`${basename(folder)}: ${JSON.stringify({ ...count, plugins })}`);
  for (const [text, times] of [...warnings].sort((a, b) => b[1] - a[1]).slice(0, 15))
    console.log(`  ${times} × ${text}`);
}
process.exitCode = totals.lost === 0 ? 0 : 1;
