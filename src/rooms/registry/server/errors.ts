import { ForgeError } from "../../../kernel/errors.ts";
import { quoteVisible, visible } from "../../../kernel/text/visible.ts";

export function packageNotFound(kind: string, name: string, version?: string): ForgeError {
  const what = version === undefined ? quoteVisible(name) : `${quoteVisible(name)} at ${quoteVisible(version)}`;
  const code = kind === "agent" ? "AGENT_NOT_FOUND" : kind === "tool" ? "TOOL_NOT_FOUND" : "PLUGIN_NOT_FOUND";
  return new ForgeError(code, `This registry does not have the ${kind} ${what}.`, {
    details: { name, ...(version !== undefined && { version }) },
    next: ["Check the name with a search."],
  });
}

export function scopeTaken(scope: string): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `The scope ${quoteVisible(scope)} belongs to another team.`, {
    details: { owned: scope },
    next: ["Publish in a scope of your own team."],
  });
}

export function notYours(name: string): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `${quoteVisible(name)} belongs to the server itself, not to your team.`, {
    details: { name },
    next: ["Ask the operator of the server to withdraw it.", "Publish your own under a scope of your team."],
  });
}

export function versionTaken(name: string, version: string): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${quoteVisible(name)} ${visible(version)} is already published with other content. A published version never changes.`,
    { details: { name, version }, next: ["Raise the version in the manifest, then publish again."] },
  );
}

export function packageFull(name: string, versions: number, characters: number): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${quoteVisible(name)} has as many versions as a package may have: ${versions}, or ${characters} characters in their manifests.`,
    { details: { name, versions, characters }, next: ["Publish under another name, or with a shorter manifest."] },
  );
}

/** It says how long to wait, so it is answered with Retry-After. */
export function tooManyUploads(): ForgeError {
  const retryAfterSeconds = 5;
  return new ForgeError("NETWORK_ERROR", "Too many packages are being published. This one was not.", {
    details: { retryAfterSeconds },
    next: [`Publish it again after ${retryAfterSeconds} s.`],
  });
}

export function wrongPackage(why: string, next: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The package cannot be published: ${why}.`, { next: [next] });
}
