import { isRecord } from "../../../../kernel/json.ts";
import type { Config } from "./config.ts";

const secretName = /(?:token|secret|password|api_?key|credential)s?$/i;
/** Names of variables are no secrets. */
const plainName = /(?:_env|max_tokens)$/i;
const redacted = "[redacted]";

/** The configuration as it may be shown. */
export function showConfig(config: Config, { includeDefaults }: { includeDefaults: boolean }): Record<string, unknown> {
  const { defaulted } = config;
  const has = (section: string) => includeDefaults || !defaulted.has(section);
  return withoutSecrets({
    registries: has("registries") ? config.registries.map(showRegistry) : [],
    ...(has("cache") && { cache: config.cache }),
    ...(has("resolution") && { resolution: config.resolution }),
    ...config.other,
  }) as Record<string, unknown>;
}

export function showRegistry({
  name,
  type,
  url,
  priority,
  enabled,
  ttl,
  scopes,
  tokenEnv,
}: Config["registries"][number]) {
  return {
    name,
    url,
    priority,
    type,
    enabled,
    ttl,
    ...(scopes.length > 0 && { scopes }),
    ...(tokenEnv !== undefined && { token_env: tokenEnv }),
  };
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return typeof value === "string" ? withoutUserinfo(value) : value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && !plainName.test(name) && typeof inner !== "object" ? redacted : withoutSecrets(inner),
    ]),
  );
}

function withoutUserinfo(text: string): string {
  return text.replace(/^([a-z][\w+.-]*:\/\/)[^/@\s]*@/i, "$1");
}

/** The value at a dotted path, own properties only. */
export function valueAt(config: unknown, key: string): { exists: boolean; value: unknown } {
  let value = config;
  for (const step of key.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step))
      return { exists: false, value: null };
    value = (value as Record<string, unknown>)[step];
  }
  return { exists: true, value };
}
