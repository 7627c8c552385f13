import { join } from "node:path";
import { recordIn, textIn } from "../definitions/field-values.ts";
import type { ConfiguredRegistry } from "./config.ts";
import { type Environment, readConfigFile } from "./load-config.ts";

const defaultVariables = ["FRACTARY_REGISTRY_TOKEN", "FRACTARY_TOKEN", "STOCKYARD_TOKEN"];

type Holder = { home: string; env: Environment; isTrusted: boolean };

/**
 * The token that is sent to a registry, if any. A registry that only a project names gets none before the user trusts the
 * project, and never one that was stored under its name: the project could have given that name to another address.
 */
export function tokenFor(registry: ConfiguredRegistry, { home, env, isTrusted }: Holder): string | undefined {
  if (registry.type === "folder" || registry.origin === "default") return undefined;
  if (registry.origin === "project" && !isTrusted) return undefined;
  if (registry.tokenEnv !== undefined) return clean(env[registry.tokenEnv]);
  const stored = registry.origin === "user" ? storedToken(registry.name, home) : undefined;
  if (stored !== undefined) return stored;
  return registry.origin === "user"
    ? defaultVariables.map((name) => clean(env[name])).find((token) => token !== undefined)
    : undefined;
}

/** Anything but visible characters cannot be sent. */
function clean(token: string | undefined): string | undefined {
  return token !== undefined && /^[\x21-\x7e]{1,4096}$/.test(token) ? token : undefined;
}

function storedToken(name: string, home: string): string | undefined {
  try {
    const file = readConfigFile(join(home, ".fractary", "auth", "credentials.json")) ?? {};
    const entry = recordIn(recordIn(file, "registries") ?? {}, name) ?? {};
    const expires = Date.parse(textIn(entry, "expires_at") ?? "");
    return Number.isNaN(expires) || expires > Date.now() ? clean(textIn(entry, "token")) : undefined;
  } catch {
    return undefined;
  }
}
