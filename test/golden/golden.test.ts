import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Client, clients, type Scope } from "../../src/rooms/setup/clients/clients.ts";
import { findConfigPlace } from "../../src/rooms/setup/clients/surroundings.ts";
import { nothing, SetupPlace } from "../harness/rooms/setup.ts";
import { jsonDocuments, tomlDocuments } from "./documents.ts";

/**
 * One page per client with what `forge init` makes of every document, all bytes visible. FORGE_UPDATE_GOLDEN=1 writes them
 * anew; read the difference before you commit it.
 */

const isUpdate = process.env["FORGE_UPDATE_GOLDEN"] !== undefined;

/** Lossless, and safe from editors and git: carriage returns, byte order marks and a missing line end can be seen. */
function visible(text: string | undefined): string {
  if (text === undefined) return "(no file)";
  const shown = text.replaceAll("\uFEFF", "<BOM>").replaceAll("\r", "<CR>").replaceAll("\t", "<TAB>");
  return text.endsWith("\n") ? shown.slice(0, -1) : `${shown}<no line end>`;
}

function scopesOf({ files }: Client): Scope[] {
  return (["project", "user"] as const).filter((scope) => files[scope] !== undefined);
}

async function page(client: Client): Promise<string> {
  const parts: string[] = [];
  for (const scope of scopesOf(client)) {
    const file = client.files[scope];
    if (!file) continue;
    const documents = file.format === "toml" ? tomlDocuments : jsonDocuments(file.key);
    for (const [name, before] of Object.entries(documents)) {
      parts.push(`=== ${scope}: ${name}\n${visible(await roundTrip(client, scope, before))}\n`);
    }
  }
  return parts.join("\n");
}

/** Sets up, checks that a second run changes nothing and that taking it back gives the bytes of before; returns what it made. */
async function roundTrip(client: Client, scope: Scope, before: string | undefined): Promise<string> {
  const place = new SetupPlace();
  const file = client.files[scope];
  if (!file) throw new Error("no such file");
  const { base, path } = findConfigPlace(place.surroundings, file);
  const relative = join(base, path).slice(place.folder.length + 1);
  if (before !== undefined) place.write(relative, before);
  const start = place.contents();
  const request = { clients: [client.id], scope };
  await place.init(request);
  const after = place.read(relative);
  expect(place.setup.plan({ ...nothing, ...request }).changes).toEqual([]);
  await place.init(request);
  expect(place.read(relative)).toBe(after);
  await place.remove(request);
  expect(place.contents()).toEqual(start);
  return after.replaceAll(place.folder, "/HOME");
}

describe.each(clients.map((client) => [client.id, client] as const))("%s", (id, client) => {
  test("the files are as they were agreed on, to the byte, and go back to what they were", async () => {
    const file = join(import.meta.dirname, `${id}.txt`);
    const made = await page(client);
    if (isUpdate) writeFileSync(file, made);
    expect(made).toBe(existsSync(file) ? readFileSync(file, "utf8") : "");
  });
});

const notes: Record<string, string | undefined> = {
  fresh: undefined,
  empty: "",
  text: "# Rules\n\nBe kind.\n",
  "no final line end": "# Rules",
  CRLF: "# Rules\r\n\r\nBe kind.\r\n",
  "byte order mark": "\uFEFF# Rules\n",
  "an older block in the middle": "# A\n\n<!-- forge:begin -->\nold words\n<!-- forge:end -->\n\n# B\n",
};

test("AGENTS.md", async () => {
  const parts: string[] = [];
  for (const [name, before] of Object.entries(notes)) {
    const place = new SetupPlace();
    if (before !== undefined) place.write("shop/AGENTS.md", before);
    const start = place.contents();
    await place.init({ agentsMd: true });
    parts.push(`=== ${name}\n${visible(place.read("shop/AGENTS.md"))}\n`);
    await place.remove();
    if (name !== "an older block in the middle") expect(place.contents()).toEqual(start);
    else expect(place.read("shop/AGENTS.md")).toBe("# A\n\n# B\n");
    rmSync(place.folder, { recursive: true });
  }
  const file = join(import.meta.dirname, "agents-md.txt");
  if (isUpdate) writeFileSync(file, parts.join("\n"));
  expect(parts.join("\n")).toBe(existsSync(file) ? readFileSync(file, "utf8") : "");
});
