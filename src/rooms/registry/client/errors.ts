import type { Action } from "../../../kernel/action.ts";
import { type ErrorCode, ForgeError } from "../../../kernel/errors.ts";
import { didYouMean } from "../../../kernel/text/closest.ts";
import { quoteVisible, visible } from "../../../kernel/text/visible.ts";
import { isInstalled } from "../../../platform/files/root/installed-place.ts";
import type { ConfiguredRegistry } from "./config/config.ts";
import type { Kind } from "./types.ts";

const notFoundCodes: Record<Kind | "plugin", ErrorCode> = {
  agent: "AGENT_NOT_FOUND",
  tool: "TOOL_NOT_FOUND",
  plugin: "PLUGIN_NOT_FOUND",
};
const titles: Record<Kind | "plugin", string> = { agent: "Agent", tool: "Tool", plugin: "Plugin" };
const listTools: Record<Kind, string> = { agent: "fractary_forge_agent_list", tool: "fractary_forge_tool_list" };
const registryList: Action = {
  tool: "fractary_forge_config_registry_list",
  why: "to see which registries are configured",
};

function listAction(kind: Kind): Action {
  return { tool: listTools[kind], why: `to see all ${kind}s` };
}

export function wrongName(name: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${quoteVisible(name)} is not a valid name.`, {
    next: ["Use a name such as `reviewer`, `@scope/reviewer` or `reviewer@^1.2.0`."],
  });
}

export function wrongRange(range: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${quoteVisible(range)} is not a version or a version range.`, {
    next: ["Use a version such as 1.2.0, a range such as ^1.2.0 or >=1 <3, or `latest`."],
  });
}

type MissingDetails = {
  range?: string | undefined;
  versions?: string[];
  near?: readonly string[];
  warnings?: string[];
};

export function definitionNotFound(kind: Kind, name: string, missing: MissingDetails = {}): ForgeError {
  const { range, versions = [], near = [], warnings = [] } = missing;
  const message =
    versions.length > 0
      ? `${titles[kind]} ${quoteVisible(name)} has no version that satisfies ${quoteVisible(range ?? "")}. Available: ${versions.slice(0, 20).join(", ")}.`
      : `${titles[kind]} ${quoteVisible(name)} was not found.`;
  return new ForgeError(notFoundCodes[kind], message, {
    details: {
      [kind]: name,
      ...(range !== undefined && { version: range }),
      ...(versions.length > 0 && { availableVersions: versions.slice(0, 100) }),
      ...(warnings.length > 0 && { warnings }),
    },
    next: [...(versions.length > 0 ? [] : didYouMean(name, near)), listAction(kind)],
    quotes: versions.length > 0 || didYouMean(name, near).length > 0 ? "others" : "repository",
  });
}

export function pluginNotFound(
  name: string,
  searchedRegistries: string[],
  near: readonly string[],
  range?: string,
): ForgeError {
  const what = range === undefined ? quoteVisible(name) : `${quoteVisible(name)} at ${quoteVisible(range)}`;
  return new ForgeError("PLUGIN_NOT_FOUND", `Plugin ${what} was not found.`, {
    details: { plugin: name, searchedRegistries },
    next: [
      ...didYouMean(name, near),
      { tool: "fractary_forge_plugin_search", input: { query: "WORDS" }, why: "to find plugins" },
      registryList,
    ],
  });
}

/** A definition that exists and cannot be used. */
export function brokenDefinition(path: string, message: string, line: number | undefined): ForgeError {
  const place = line === undefined ? visible(path) : `${visible(path)}, line ${line}`;
  return new ForgeError("VALIDATION_ERROR", `The definition cannot be read (${place}): ${message}.`, {
    details: { path, ...(line !== undefined && { line }), reason: message },
    next: ["Correct the file, then try again."],
    quotes: isInstalled(path) ? "others" : "repository",
  });
}

export function outsideRoots(path: string, roots: readonly string[]): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${quoteVisible(path)} is outside the folders that definitions are read from.`,
    {
      details: { path: path.slice(0, 300), allowed: [...roots] },
      next: ["Give the path of a file in this project, in your global registry or in a configured folder."],
    },
  );
}

export function pathOrName(kind: Kind): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `Give either the path or the name of the ${kind}, not both.`, {
    next: [listAction(kind)],
  });
}

export function inheritanceCycle(chain: readonly string[]): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `These definitions extend each other in a circle: ${chain.join(" → ")}.`, {
    details: { reason: "INHERITANCE_CYCLE", path: [...chain] },
    next: [`Remove \`extends\` from one of them.`],
    quotes: "others",
  });
}

export function missingBase(chain: readonly string[], cause: ForgeError): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `A base definition is missing: ${chain.join(" → ")}. ${cause.message}`, {
    details: { reason: "INHERITANCE_BASE_NOT_FOUND", path: [...chain] },
    quotes: "others",
    next: ["Install or create the missing definition, or correct `extends`.", ...(cause.next ?? [])],
  });
}

export function chainTooLong(name: string, max: number): ForgeError {
  return new ForgeError(
    "DEPENDENCY_ERROR",
    `${quoteVisible(name)} extends more than ${max} definitions, one after another.`,
    {
      details: { reason: "INHERITANCE_TOO_DEEP", max },
      next: ["Shorten the chain of `extends`."],
    },
  );
}

export function dependencyConflict(
  name: string,
  wanted: readonly { range: string; path: readonly string[] }[],
): ForgeError {
  const lines = wanted.map(({ range, path }) => `${range} by ${path.join(" → ")}`);
  return new ForgeError(
    "DEPENDENCY_ERROR",
    `No version of ${quoteVisible(name)} satisfies all that is required: ${lines.join("; ")}.`,
    {
      details: {
        reason: "VERSION_CONFLICT",
        name,
        required: wanted.map(({ range, path }) => ({ range, path: [...path] })),
      },
      next: ["Change one of the ranges, or make a version available that satisfies all of them."],
    },
  );
}

export function dependencyCycle(path: readonly string[]): ForgeError {
  return new ForgeError(
    "DEPENDENCY_ERROR",
    `These definitions depend on each other in a circle: ${path.join(" → ")}.`,
    {
      details: { reason: "CIRCULAR_DEPENDENCY", path: [...path] },
      next: ["Remove one of these dependencies."],
    },
  );
}

export function tooManyDependencies(name: string, max: number): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `${quoteVisible(name)} needs more than ${max} other definitions.`, {
    details: { reason: "TOO_MANY_DEPENDENCIES", max },
    next: ["Split it into smaller definitions."],
  });
}

export function brokenConfig(path: string, why: string, line?: number): ForgeError {
  const place = line === undefined ? visible(path) : `${visible(path)}, line ${line}`;
  return new ForgeError("CONFIG_ERROR", `The configuration cannot be used (${place}): ${why}.`, {
    details: { path, ...(line !== undefined && { line }) },
    next: ["Correct the file, or remove it to use the defaults."],
  });
}

export function cacheTrouble(location: string, why: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `The cache folder ${quoteVisible(location)} ${why}.`, {
    details: { location },
    next: ["Set FRACTARY_CACHE_DIR to an absolute path of a regular folder."],
  });
}

export function integrityMismatch(what: string, expected: string, actual: string): ForgeError {
  return new ForgeError(
    "INTEGRITY_ERROR",
    `${visible(what)} does not match its published checksum, so it was not used.`,
    {
      details: { expected, actual },
      next: ["Ask the publisher to correct the registry. Do not use this file until then."],
    },
  );
}

export function registriesDown(names: readonly string[], reasons: readonly string[]): ForgeError {
  const [first = "no registry is configured"] = reasons;
  return new ForgeError("NETWORK_ERROR", `No registry could be reached: ${first}`, {
    details: { registries: [...names], reasons: [...reasons] },
    next: ["Check the network and try again.", registryList],
    quotes: "repository",
  });
}

export function wrongAnswer(registry: string, what: string): ForgeError {
  return new ForgeError(
    "NETWORK_ERROR",
    `The registry ${quoteVisible(registry)} sent an answer that cannot be used: ${what}.`,
    {
      details: { registry },
      next: ["Check the registry's address.", registryList],
    },
  );
}

/** The placeholders are for the reader: what a project's file says must not end up in a command to copy. */
export const nameItYourself: Action = {
  command: "registry source add NAME URL --global",
  why: "to add it to your own configuration, if you know it",
};

export function notOwnRegistry(name: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `Only the project's files name the registry ${quoteVisible(name)}, so it gets no token and may not have a private address.`,
    { details: { registry: name }, next: [nameItYourself] },
  );
}

/** A project's file alone does not make Forge ask this machine or its networks. */
export function privateRegistry(registry: string, error: ForgeError): ForgeError {
  return new ForgeError(
    error.code,
    `${error.message} Only the project's files name the registry ${quoteVisible(registry)}.`,
    {
      details: { ...error.details, registry },
      next: [nameItYourself],
    },
  );
}

/** What is asked for can be anything that an assistant has read, and would go to whoever wrote the project's files. */
export function untrustedRegistry(registry: string): ForgeError {
  return new ForgeError(
    "TRUST_REQUIRED",
    `The registry ${quoteVisible(registry)} was not asked: only the project's files name it, and you have not trusted the project.`,
    { details: { registry }, next: [{ command: "trust", why: "if you know the project" }, nameItYourself] },
  );
}

export function authNeeded(
  { name: registry, origin }: Pick<ConfiguredRegistry, "name" | "origin">,
  status: number,
  sent: boolean,
): ForgeError {
  const code = sent ? "AUTH_FAILED" : "AUTH_REQUIRED";
  if (!sent && origin === "project")
    return new ForgeError(
      code,
      `The registry ${quoteVisible(registry)} requires a token. None was sent, because only the project's files name it.`,
      { details: { registry, status }, next: [nameItYourself] },
    );
  const message = sent
    ? `The registry ${quoteVisible(registry)} did not accept the token (status ${status}).`
    : `The registry ${quoteVisible(registry)} requires a token.`;
  return new ForgeError(code, message, {
    details: { registry, status },
    next: [
      "Set `auth.token_env` of this registry in your own configuration, or FRACTARY_REGISTRY_TOKEN if no other needs a token.",
    ],
  });
}

export function alreadyThere(what: string, path: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `${what} already exists at ${visible(path)}.`, {
    details: { path },
    next: ["Choose another name, or overwrite it with --force."],
  });
}

export function wrongCreation(message: string, next: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", message, { next: [next] });
}
