import { join } from "node:path";
import { recordIn, textIn } from "../definitions/field-values.ts";
import type { ConfiguredRegistry } from "./config.ts";
import { type Environment, readConfigFile } from "./load-config.ts";

const defaultVariables = ["FRACTARY_REGISTRY_TOKEN", "FRACTARY_TOKEN", "STOCKYARD_TOKEN"];

/** `own`: the registries of the user's own configuration. */
type Holder = { home: string; env: Environment; own: readonly ConfiguredRegistry[] };

/**
 * The token that is sent to a registry, if any. A registry that only a project names gets none, whether the project is trusted or
 * not: its file may change with every pull, and could name any variable and any address. A variable that says nothing of its
 * registry is sent only where it can be of no other: each would get the token of another.
 */
export function tokenFor(registry: ConfiguredRegistry, { home, env, own }: Holder): string | undefined {
  if (registry.type === "folder" || registry.origin !== "user") return undefined;
  if (registry.tokenEnv !== undefined) return clean(env[registry.tokenEnv]);
  const stored = storedToken(registry, home);
  if (stored !== undefined) return stored;
  const isOther = ({ type, enabled, tokenEnv, url }: ConfiguredRegistry) =>
    type !== "folder" && enabled && tokenEnv === undefined && originOf(url) !== originOf(registry.url);
  if (own.some((other) => isOther(other) && storedToken(other, home) === undefined)) return undefined;
  return defaultVariables.map((name) => clean(env[name])).find((token) => token !== undefined);
}

/** Anything but visible characters cannot be sent. */
function clean(token: string | undefined): string | undefined {
  return token !== undefined && /^[\x21-\x7e]{1,4096}$/.test(token) ? token : undefined;
}

/** One that the original program stored says nothing of its server. */
function storedToken({ name, url }: ConfiguredRegistry, home: string): string | undefined {
  try {
    const file = readConfigFile(join(home, ".fractary", "auth", "credentials.json")) ?? {};
    const entry = recordIn(recordIn(file, "registries") ?? {}, name) ?? {};
    const origin = originOf(url);
    if ((textIn(entry, "origin") ?? origin) !== origin) return undefined;
    const expires = Date.parse(textIn(entry, "expires_at") ?? "");
    return Number.isNaN(expires) || expires > Date.now() ? clean(textIn(entry, "token")) : undefined;
  } catch {
    return undefined;
  }
}

function originOf(url: string): string {
  return new URL(url).origin;
}
