import { isRecord } from "../../../../kernel/json.ts";
import { recordIn, textIn } from "../definitions/field-values.ts";
import type { Fields } from "../types.ts";

/** The schema that `server.json` files name; theirs ends in a date. */
const schemaUrl = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
const schemaPattern = /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\d-]+\/server\.schema\.json$/;
const publisherKey = "io.modelcontextprotocol.registry/publisher-provided";
const ownKey = "definition";

/** An MCP registry's `server.json` as a tool; undefined where the object is something else. */
export function readServerJson(value: Fields): Fields | undefined {
  const isServer =
    schemaPattern.test(textIn(value, "$schema") ?? "") ||
    Array.isArray(value["packages"]) ||
    Array.isArray(value["remotes"]);
  if (!isServer || textIn(value, "name") === undefined) return undefined;
  const own = recordIn(recordIn(recordIn(value, "_meta") ?? {}, publisherKey) ?? {}, ownKey);
  if (own) return own;
  const { $schema: _, _meta, ...server } = value;
  const name = (textIn(value, "name") ?? "").split("/").at(-1) ?? "";
  return {
    name,
    type: "tool",
    version: textIn(value, "version"),
    description: textIn(value, "description"),
    implementation: { type: "mcp", mcp: server },
    ...(isRecord(_meta) && { metadata: { server: _meta } }),
  };
}

/** A definition as `server.json`. What the form has no field for is kept for reading it back. */
export function writeServerJson(fields: Fields, name: string, version: string): Fields {
  const implementation = recordIn(fields, "implementation");
  const server = implementation && recordIn(implementation, "mcp");
  return {
    $schema: schemaUrl,
    name: textIn(server ?? {}, "name") ?? `local.fractary/${name.replace(/^@/, "").replaceAll("/", ".")}`,
    description: (textIn(fields, "description") ?? name).slice(0, 100),
    version,
    ...(server && {
      ...(Array.isArray(server["packages"]) && { packages: server["packages"] }),
      ...(Array.isArray(server["remotes"]) && { remotes: server["remotes"] }),
    }),
    _meta: { [publisherKey]: { [ownKey]: fields } },
  };
}
