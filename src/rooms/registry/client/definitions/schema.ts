import * as z from "zod";

/** The definitions' schema: what is checked, and nothing else says it. */
export const schemaVersion = "1.0";

const version = z.string().regex(/^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/, "must be a version such as 1.2.0");
const text = z.string("must be a text").min(1, "must not be empty");
const texts = z.array(z.string("must be a text"), "must be a list of texts");
const agentName = text.regex(/^(?:@[A-Za-z0-9_-]+\/)?[A-Za-z0-9_:.-]+$/, "may contain letters, digits, and - _ : .");
const toolName = text.regex(/^(?:@[A-Za-z0-9_-]+\/)?[A-Za-z0-9_.-]+$/, "may contain letters, digits, and - _ .");

const fraction = z.number("must be a number").min(0, "must be at least 0").max(1, "must be at most 1");
const llm = z.object(
  {
    provider: z.enum(["anthropic", "openai", "google"], "must be anthropic, openai or google"),
    model: text,
    temperature: fraction.optional(),
    max_tokens: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(200_000, "must be at most 200000")
      .optional(),
  },
  "must have a provider and a model",
);

const cacheSource = z.object({
  type: z.enum(["file", "glob", "inline", "codex"], "must be file, glob, inline or codex"),
  path: text.optional(),
  pattern: text.optional(),
  content: z.string().optional(),
  uri: text.optional(),
  label: text,
  ttl: z.number().optional(),
});

const parameterType = z.enum(
  ["string", "integer", "number", "boolean", "object", "array"],
  "must be string, integer, number, boolean, object or array",
);
const parameter = z.object(
  {
    type: parameterType,
    description: z.string().optional(),
    required: z.boolean("must be true or false"),
    default: z.unknown().optional(),
    enum: z.array(z.unknown(), "must be a list").optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
  },
  "must have a type",
);

const bash = z.object({
  type: z.literal("bash"),
  bash: z.object(
    {
      command: text,
      sandbox: z
        .object({
          enabled: z.boolean(),
          allowlisted_commands: texts.optional(),
          network_access: z.boolean().optional(),
          max_execution_time: z.number().optional(),
          env_vars: texts.optional(),
        })
        .optional(),
    },
    "must have a command",
  ),
});
const python = z.object({ type: z.literal("python"), python: z.object({ module: text, function: text }) });
const http = z.object({
  type: z.literal("http"),
  http: z.object({
    method: z.enum(["GET", "POST", "PUT", "DELETE"], "must be GET, POST, PUT or DELETE"),
    url: text,
    headers: z.record(z.string(), z.string()).optional(),
    body_template: z.string().optional(),
  }),
});
const mcp = z.object({ type: z.literal("mcp"), mcp: z.record(z.string(), z.unknown()) });

const common = {
  version,
  description: text.optional(),
  tags: texts.optional(),
  extends: text.optional(),
  author: z.unknown().optional(),
};

const toolShape = {
  ...common,
  name: toolName,
  type: z.literal("tool", "must be `tool`"),
  parameters: z.record(z.string(), parameter, "must map each parameter to its description"),
  implementation: z.discriminatedUnion("type", [bash, python, http, mcp], "must be of type bash, python, http or mcp"),
  depends_on: texts.optional(),
  extended_description: z.string().optional(),
};

const agentShape = {
  ...common,
  name: agentName,
  type: z.literal("agent", "must be `agent`"),
  llm,
  tools: texts,
  system_prompt: z.string("must be a text").optional(),
  custom_tools: z.array(z.record(z.string(), z.unknown()), "must be a list of tools").optional(),
  caching: z
    .object({ enabled: z.boolean("must be true or false"), cache_sources: z.array(cacheSource).optional() })
    .optional(),
  config: z.record(z.string(), z.unknown(), "must map names to values").optional(),
  depends_on: texts.optional(),
};

export const agentSchema = z.object(agentShape, "must be a mapping of fields");
export const toolSchema = z.object(toolShape, "must be a mapping of fields");
/** What is inherited need not be written again. */
export const extendedAgentSchema = agentSchema.partial({ llm: true, tools: true });
export const extendedToolSchema = toolSchema.partial({ parameters: true, implementation: true });
