import type { Action } from "../../../../kernel/action.ts";
import { type ErrorCode, ForgeError } from "../../../../kernel/errors.ts";
import { didYouMean } from "../../../../kernel/text/closest.ts";
import { quoteVisible, visible } from "../../../../kernel/text/visible.ts";

const registryList: Action = {
  tool: "fractary_forge_config_registry_list",
  why: "to see which registries are configured",
};

/** A package that is refused as a whole, because of one thing in it. */
export function hostilePackage(why: string): ForgeError {
  return new ForgeError("INTEGRITY_ERROR", `The package was refused: ${visible(why)}. Nothing was installed.`, {
    details: { why: visible(why) },
    next: ["Ask its publisher to correct it."],
  });
}

export function invalidSignature(name: string, version: string): ForgeError {
  return new ForgeError("INTEGRITY_ERROR", `The signature of ${quoteVisible(name)} ${visible(version)} is not valid.`, {
    details: { plugin: name, version },
    next: ["Do not use this version. Ask its publisher to publish it again."],
  });
}

export function weakIntegrity(what: string, given: string | undefined): ForgeError {
  const reason = given === undefined || given === "" ? "has no published hash" : "has only a weak published hash";
  return new ForgeError("INTEGRITY_ERROR", `${visible(what)} ${reason}, so it was not used. A sha512 hash is needed.`, {
    details: { given: given ?? null },
    next: ["Ask the registry to publish a sha512 hash."],
  });
}

export function changedVersion(name: string, version: string, before: string, now: string): ForgeError {
  return new ForgeError(
    "INTEGRITY_ERROR",
    `${quoteVisible(name)} ${visible(version)} is not what it was before: a published version must never change. Nothing was installed.`,
    {
      details: { plugin: name, version, expected: before, actual: now },
      next: [
        "Ask its publisher why. To accept the new content, uninstall the plugin first, then install it again with --force.",
      ],
    },
  );
}

export function changedRegistry(name: string, before: string, now: string): ForgeError {
  return new ForgeError(
    "INTEGRITY_ERROR",
    `${quoteVisible(name)} was installed from ${visible(before)}; ${visible(now)} has a plugin of the same name. Nothing was installed.`,
    {
      details: { plugin: name, expected: before, actual: now },
      next: ["If both are the same plugin, install it again by name with --force.", registryList],
    },
  );
}

/** The lock file is in a folder of this name. */
export function reservedName(name: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `No plugin can be installed as ${quoteVisible(name)}: Forge keeps its own files there.`,
    {
      details: { plugin: name },
      next: ["Ask its publisher to use another name, or one with a scope."],
    },
  );
}

export function changedKey(scope: string, before: string, now: string, file: string): ForgeError {
  return new ForgeError(
    "INTEGRITY_ERROR",
    `Packages of ${quoteVisible(scope)} used to be signed with the key ${before}; this one is signed with ${now}. Nothing was installed.`,
    {
      details: { scope, expected: before, actual: now },
      next: [
        `Ask the publisher whether they changed their key. If so, remove ${quoteVisible(scope)} from "keys" in ${visible(file)}.`,
      ],
    },
  );
}

export function missingSignature(name: string, version: string, scope: string): ForgeError {
  return new ForgeError(
    "INTEGRITY_ERROR",
    `${quoteVisible(name)} ${visible(version)} is not signed, but other packages of ${quoteVisible(scope)} were. Nothing was installed.`,
    { details: { plugin: name, version, scope }, next: ["Ask its publisher to sign it."] },
  );
}

export function indexRolledBack(
  registry: string,
  name: string,
  missing: string | undefined,
  remembered: { file: string; key: string },
): ForgeError {
  const what =
    missing === undefined
      ? `shows an older state of ${quoteVisible(name)} than before`
      : `no longer lists version ${visible(missing)} of ${quoteVisible(name)}`;
  return new ForgeError("INTEGRITY_ERROR", `The registry ${quoteVisible(registry)} ${what}. Nothing was installed.`, {
    details: { registry, plugin: name, ...(missing !== undefined && { missing }) },
    next: [
      "Someone may be hiding newer versions. Ask the registry's operator, or try from another network.",
      `If the registry was set back on purpose, remove ${JSON.stringify(visible(remembered.key))} from "indexes" in ${visible(remembered.file)}.`,
      registryList,
    ],
  });
}

export function pluginYanked(name: string, version: string, reason: string): ForgeError {
  return new ForgeError(
    "PLUGIN_NOT_FOUND",
    `${quoteVisible(name)} ${visible(version)} was withdrawn: ${visible(reason)}`,
    {
      details: { plugin: name, version, reason },
      next: [
        { tool: "fractary_forge_plugin_info", input: { plugin: name, remote: true }, why: "to see other versions" },
      ],
    },
  );
}

export function notInstalled(name: string, scope: string, near: readonly string[]): ForgeError {
  return new ForgeError("PLUGIN_NOT_FOUND", `Plugin ${quoteVisible(name)} is not installed (${scope}).`, {
    details: { plugin: name, scope },
    next: [...didYouMean(name, near), { tool: "fractary_forge_plugin_list", why: "to see installed plugins" }],
  });
}

export function brokenLockfile(path: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `The lock file cannot be read: ${visible(path)}.`, {
    details: { path },
    next: ["Correct the file, or remove it to make a new one."],
  });
}

export function unknownRegistry(name: string, known: readonly string[]): ForgeError {
  return new ForgeError("CONFIG_ERROR", `No registry server is named ${quoteVisible(name)}.`, {
    details: { registry: name },
    next: [...didYouMean(name, known), registryList],
  });
}

export function refusedByRegistry(registry: string, status: number, message: string, code: ErrorCode): ForgeError {
  return new ForgeError(code, `The registry ${quoteVisible(registry)} refused: ${visible(message.slice(0, 500))}`, {
    details: { registry, status },
    next: ["Correct that, then try again."],
  });
}

export function yankNeedsVersion(name: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `Which version of ${quoteVisible(name)}?`, {
    next: ["Give it with the name: @acme/review@1.2.0."],
  });
}

export function yankNeedsReason(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A withdrawn version needs a reason.", {
    next: ["Give it with --reason; everyone who uses the version sees it."],
  });
}

export function tokenNeeded(): ForgeError {
  return new ForgeError("AUTH_REQUIRED", "A token is needed to sign in.", {
    next: ["Create an API token on the server, and give it with --token or on a terminal."],
  });
}
