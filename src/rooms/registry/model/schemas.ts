import * as z from "zod";

const maxText = 1_048_576;

export const name = z.string().min(1).max(214);
export const version = z.string().max(256);
export const path = z.string().max(4096);
export const text = z.string().max(maxText);
export const shortText = z.string().max(4096);
export const warnings = z.array(z.string().max(8192)).max(200).optional();
export const names = z.array(z.string().max(1024)).max(5000);
export const kind = z.enum(["agent", "tool"]);
const source = z.enum(["local", "global", "stockyard"]);
export const scope = z.enum(["global", "local"]);

/** Any JSON, with bounds: definitions carry what their authors put there. */
const plainValue = z.union([text, z.number(), z.boolean(), z.null()]);
export const jsonValue: z.ZodType<unknown> = z.lazy(() =>
  z.union([plainValue, z.array(jsonValue).max(10_000), z.record(z.string().max(1024), jsonValue)]),
);
export const jsonObject = z.record(z.string().max(1024), jsonValue);

export const tagsInput = z.array(z.string().min(1).max(100)).max(50).optional();
const sourceInput = z.enum(["local", "global", "stockyard", "all"]).optional();
export const listInput = z.object({
  tags: tagsInput.describe("Any of these"),
  source: sourceInput,
  limit: z.int().min(1).max(1000).default(100),
  offset: z.int().min(0).max(1_000_000).default(0),
});

export const infoInput = z.object({
  name: name.describe("Also `name@range`, `@scope/name`, `@plugin/name`"),
  version: z.string().min(1).max(256).optional().describe("Version or range; default: latest"),
  source: sourceInput,
});

export const validateInput = z.object({
  path: z.string().min(1).max(4096).optional().describe("A file in the project; give this or `name`"),
  name: name.optional(),
  strict: z.boolean().default(false),
  checkTools: z.boolean().default(false).describe("Also check that its tools exist").meta({ unadvertised: true }),
});

export const summary = z.object({
  name,
  version,
  description: text.optional(),
  tags: names.optional(),
  source,
  path,
});

/** What every answer may add: that it is old, or incomplete. */
export const reached = { stale: z.literal(true).optional(), warnings };
export const page = { total: z.int().min(0), limit: z.int().min(1), offset: z.int().min(0) };

const finding = { field: z.string().max(1024), message: z.string().max(8192), line: z.int().min(0).optional() };

export const validation = z.object({
  valid: z.boolean(),
  path,
  errors: z.array(z.object({ ...finding, severity: z.enum(["error", "warning"]) })).max(300),
  warnings: z.array(z.object(finding)).max(300),
  schema_version: z.string().max(20),
});

export const details = {
  author: shortText.optional(),
  license: shortText.optional(),
  extends: z.string().max(1024).optional(),
};
