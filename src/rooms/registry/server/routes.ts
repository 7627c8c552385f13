import * as z from "zod";
import { defineRoute } from "../../../kernel/definitions/route.ts";
import { addressPattern } from "../client/definitions/reference.ts";
import type { PackageKind } from "./package-store.ts";
import type { RegistryServer } from "./registry-server.ts";

/** What a request to the registry runs on. */
export type RegistryRouteServices = {
  registry: RegistryServer;
  /** Who asks; their team publishes in scopes of its own. */
  by: { team: string; name: string; user: { id: string; name: string; email: string }; confirm(): Promise<void> };
};

const packageName = z
  .string()
  .regex(addressPattern)
  .max(214)
  .describe("With %2F in place of the slash: @acme%2Freview");
const version = z.string().min(1).max(64);
const text = z.string().max(1_048_576);
const line = z.string().max(4096);
const reason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((given) => !given.includes("\0"), "must not contain NUL");
const signature = z.object({ key: z.string().max(200), signature: z.string().max(200) });

const described = {
  name: packageName,
  type: z.enum(["plugin", "agent", "tool"]),
  description: text.optional(),
  author: line.optional(),
  tags: z.array(line).max(1_000),
  latest: version.optional(),
  plugin: line.optional().describe("The plugin it is a part of"),
  downloads: z.number(),
  updatedAt: line,
};
const withdrawn = { yanked: z.literal(true).optional(), reason: line.optional().describe("Why it was withdrawn") };

/** Checked when they were published. All versions can have half a million, and to check each text again takes seconds. */
const dependencies = z.looseObject({}).describe("Ranges of versions by the names of packages");

const metadata = z.object({
  ...described,
  serial: z.number().describe("Grows with every change of the package"),
  generatedAt: line,
  versions: z
    .array(
      z.object({
        version,
        integrity: line,
        size: z.number(),
        publishedAt: line,
        dependencies: dependencies.optional(),
        signature: signature.optional(),
        ...withdrawn,
      }),
    )
    .max(100_000),
});

const released = { name: packageName, version, integrity: line, publishedAt: line, publishedBy: line, ...withdrawn };
const definition = z.object({
  ...released,
  type: z.enum(["agent", "tool"]),
  plugin: line,
  content: text,
  format: z.enum(["yaml", "markdown"]),
});
const plugin = z.object({
  ...released,
  size: z.number(),
  manifest: z.record(z.string(), z.unknown()),
  signature: signature.optional(),
  archive: line.describe("Where the archive is, relative to /api/v1/"),
});

const reading = { method: "GET", scope: "registry:read", effect: "read", names: "package" } as const;
const packageParams = z.object({ id: packageName });
const versionParams = z.object({ id: packageName, version });

function metadataRoute(kind: PackageKind) {
  return defineRoute({
    ...reading,
    path: `/api/v1/${kind}s/:id/metadata`,
    summary: `The versions of ${kind === "agent" ? "an" : "a"} ${kind} and what it is for.`,
    params: packageParams,
    query: z.object({}),
    output: metadata,
    verbatim: true,
    run: async ({ registry }: RegistryRouteServices, { params }) =>
      (await registry.metadata(kind, params.id)) as z.input<typeof metadata>,
  });
}

function definitionRoute(kind: "agent" | "tool") {
  return defineRoute({
    ...reading,
    path: `/api/v1/${kind}s/:id/versions/:version`,
    summary: `One version of ${kind === "agent" ? "an agent" : "a tool"}, with its definition.`,
    params: versionParams,
    query: z.object({}),
    output: definition,
    verbatim: true,
    run: async ({ registry }: RegistryRouteServices, { params }) =>
      (await registry.version(kind, params.id, params.version)) as z.input<typeof definition>,
  });
}

const pluginRoute = defineRoute({
  ...reading,
  path: "/api/v1/plugins/:id/versions/:version",
  summary: "One version of a plugin, with its manifest.",
  params: versionParams,
  query: z.object({}),
  output: plugin,
  verbatim: true,
  run: async ({ registry }: RegistryRouteServices, { params }) =>
    (await registry.version("plugin", params.id, params.version)) as z.input<typeof plugin>,
});

const archiveRoute = defineRoute({
  ...reading,
  path: "/api/v1/plugins/:id/versions/:version/archive",
  summary: "The archive of a plugin.",
  params: versionParams,
  query: z.object({}),
  output: z.object({
    bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    integrity: line,
    filename: line,
  }),
  verbatim: true,
  async run({ registry }: RegistryRouteServices, { params: { id, version: wanted } }) {
    const filename = `${id.replace("@", "").replace("/", "-")}-${wanted}.tgz`;
    return { ...(await registry.download(id, wanted)), filename };
  },
  file: {
    mediaType: "application/gzip",
    isBinary: true,
    make: ({ bytes, integrity, filename }) => ({ bytes, tag: integrity, filename }),
  },
});

/** Each is looked for in all tags of a thousand packages. */
const maxTags = 20;

const searchRoute = defineRoute({
  ...reading,
  names: "none",
  path: "/api/v1/search",
  summary: "Packages that contain all words, the most downloaded first.",
  params: z.object({}),
  query: z.object({
    q: z.string().max(500).default(""),
    type: z.enum(["plugin", "agent", "tool"]).default("plugin"),
    tags: z
      .string()
      .max(500)
      .default("")
      .refine((given) => given.split(",").length <= maxTags, `must be at most ${maxTags} tags`)
      .describe(`Any of these, at most ${maxTags}, separated by commas`),
    page: z.coerce.number().int().min(1).max(10_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(100).default(20),
  }),
  output: z.object({
    results: z.array(z.object({ ...described, version })).max(100),
    total: z.number(),
    page: z.number(),
    pageSize: z.number(),
  }),
  verbatim: true,
  async run({ registry }: RegistryRouteServices, { query: { q, type, tags, page, pageSize } }) {
    const wanted = tags.split(",").filter((tag) => tag.trim() !== "");
    const found = await registry.search({ query: q, kind: type, tags: wanted, page, pageSize });
    return { results: found.results as z.input<typeof searchResults>, total: found.total, page, pageSize };
  },
});
const searchResults = z.array(z.object({ ...described, version }));

const userRoute = defineRoute({
  ...reading,
  names: "none",
  path: "/api/v1/user",
  summary: "Who the token belongs to.",
  params: z.object({}),
  query: z.object({}),
  output: z.object({ id: line, name: line, email: line, team: line }),
  run: async ({ by: { user, team } }: RegistryRouteServices) => ({ ...user, team }),
});

/** 750 KiB in base64: with its signature it fits into the 1 MiB that every body may have. */
const maxArchiveLength = Math.ceil((750 * 1_024) / 3) * 4;

const publishRoute = defineRoute({
  method: "POST",
  path: "/api/v1/plugins",
  operation: "registry_publish",
  summary: "Publishes a version of a plugin. The same content again changes nothing; other content is refused.",
  scope: "registry:write",
  effect: "add",
  names: "none",
  params: z.object({}),
  query: z.object({}),
  body: z.strictObject({
    archive: z
      .base64()
      .max(maxArchiveLength, "must be at most 750 KiB before it is encoded")
      .describe("A gzipped tar archive of at most 750 KiB, in base64"),
    integrity: z.string().max(200).optional().describe("sha512-…, to detect damage in transit"),
    signature: signature.optional(),
  }),
  output: z.object({ name: packageName, version, integrity: line, size: z.number(), isNew: z.boolean() }),
  async run({ registry, by }: RegistryRouteServices, { body: { archive, integrity, signature: signed } }) {
    return registry.publish(by, { archive: Buffer.from(archive, "base64"), integrity, signature: signed });
  },
});

const yankRoute = defineRoute({
  method: "POST",
  path: "/api/v1/plugins/:id/versions/:version/yank",
  operation: "registry_yank",
  summary: "Withdraws a version with a reason, or offers it again.",
  scope: "registry:write",
  effect: "act",
  names: "package",
  params: versionParams,
  query: z.object({}),
  body: z.strictObject({ reason: reason.nullable().describe("null: offer it again") }),
  output: z.object({ name: packageName, version, yanked: z.boolean() }),
  async run({ registry, by }: RegistryRouteServices, { params, body }) {
    await registry.yank(by, params.id, params.version, body.reason ?? undefined);
    return { name: params.id, version: params.version, yanked: body.reason !== null };
  },
});

export const routes = [
  metadataRoute("plugin"),
  metadataRoute("agent"),
  metadataRoute("tool"),
  pluginRoute,
  definitionRoute("agent"),
  definitionRoute("tool"),
  archiveRoute,
  searchRoute,
  userRoute,
  publishRoute,
  yankRoute,
];
