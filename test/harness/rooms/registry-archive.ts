import { packArchive } from "../../../src/rooms/registry/client/packages/archive.ts";
import { agent, tool } from "./registry-definitions.ts";

/** The files of a small plugin: a manifest, an agent and a tool. */
export function pluginFiles(name: string, version: string, fields: object = {}): [path: string, text: string][] {
  const manifest = { name, version, description: "Reviews code", author: "Ada", tags: ["review"], ...fields };
  return [
    ["plugin.json", JSON.stringify(manifest)],
    ["agents/critic.yaml", agent("critic")],
    ["tools/lint.yaml", tool("lint")],
    ["commands/go.md", "# Go\n"],
  ];
}

/** The same as an archive. */
export function makePackage(
  name: string,
  version: string,
  fields: object = {},
  more: Record<string, string> = {},
): Buffer {
  const files = [...pluginFiles(name, version, fields), ...Object.entries(more)];
  return packArchive(files.map(([path, text]) => ({ path, bytes: Buffer.from(text), isExecutable: false })));
}
