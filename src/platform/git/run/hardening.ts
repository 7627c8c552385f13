import { delimiter, dirname } from "node:path";
import type { Program } from "./find-git.ts";
import type { RepositoryLocation } from "./locate-repository.ts";

/** Settings that make git run nothing a repository's own configuration names. They outrank every configuration file. */
const untrustedSettings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.sshCommand=false",
  "core.askPass=",
  "core.editor=true",
  "core.attributesFile=/dev/null",
  "commit.gpgSign=false",
  "tag.gpgSign=false",
  "gpg.program=false",
  "gpg.openpgp.program=false",
  "gpg.x509.program=false",
  "gpg.ssh.program=false",
  "gpg.ssh.defaultKeyCommand=false",
  "log.showSignature=false",
  "credential.helper=",
  "protocol.ext.allow=never",
  "submodule.recurse=false",
  "status.submoduleSummary=false",
  "safe.bareRepository=explicit",
  "gc.auto=0",
  "maintenance.auto=false",
];

/**
 * What the user's trust does not cover either: leaving the folder, or waiting for somebody at a terminal. And tidying up is
 * for the person's own git, which has the time.
 */
const trustedSettings = ["core.askPass=", "safe.bareRepository=explicit", "gc.auto=0", "maintenance.auto=false"];

export type Trust = "untrusted" | "trusted";

/**
 * The hooks that may run in a trusted repository: a folder outside the project, or what writes those that were checked below a
 * new folder, and returns where. Git does not look into the repository's own folder, where others may have been put meanwhile.
 */
export type TrustedHooks = { folder: string } | { write(folder: string): string };

/** The options before the subcommand. `--work-tree` outranks a `core.worktree` that points elsewhere. */
export function leadingOptions(trust: Trust, workTree: string, hooks?: string): string[] {
  const own = hooks === undefined ? [] : [`core.hooksPath=${hooks}`];
  const settings = trust === "trusted" ? [...trustedSettings, ...own] : untrustedSettings;
  return ["--no-pager", `--work-tree=${workTree}`, ...settings.flatMap((setting) => ["-c", setting])];
}

/**
 * The environment of a git process. GIT_DIR stays unset so that git finds the directory itself, and with that checks
 * whose it is; the ceiling keeps it from finding any other than the one we found.
 */
export function gitEnvironment(
  base: Record<string, string>,
  program: Program,
  location: RepositoryLocation,
): Record<string, string> {
  return {
    ...removePath(base),
    PATH: program.searchPath,
    LC_ALL: "C",
    GIT_CEILING_DIRECTORIES: dirname(location.workTree).includes(delimiter) ? "" : dirname(location.workTree),
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    // No protocol has this name. A partial clone otherwise fetches what it misses, by a command of the repository's choice.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    // Otherwise what is looked at can be something else than what the id stands for.
    GIT_NO_REPLACE_OBJECTS: "1",
    // A file that cannot be there: of an empty one, git says that grafts are outdated.
    GIT_GRAFT_FILE: "/dev/null/grafts",
  };
}

function removePath(base: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(base).filter(([name]) => name.toUpperCase() !== "PATH"));
}

/** What each kind of program in the configuration needs to be set to so that it does not run. */
const disarmedSettings: Record<string, [variable: string, value: string][]> = {
  filter: [
    ["clean", ""],
    ["smudge", ""],
    ["process", ""],
    ["required", "false"],
  ],
  hook: [["enabled", "false"]],
  // Not the empty command: that succeeds, and one side would silently win. This one leaves a conflict.
  merge: [["driver", "false"]],
};

/** The sections whose programs cannot be switched off without knowing their names. */
export const armedNames = Object.keys(disarmedSettings);

/** The same for `git config --get-regexp`. */
export const armedSections = `^(${armedNames.join("|")})\\.`;

/**
 * Switches off the programs behind these configuration keys. Through the environment, not `-c`: there a name with `=`
 * in it would be cut short, and the program run.
 */
export function disarm(keys: Iterable<string>): Record<string, string> {
  const settings = new Map<string, string>();
  for (const key of keys) {
    const [section = "", rest = ""] = cutAt(key, key.indexOf("."));
    const [name] = cutAt(rest, rest.lastIndexOf("."));
    if (name === undefined) continue;
    for (const [variable, value] of disarmedSettings[section] ?? [])
      settings.set(`${section}.${name}.${variable}`, value);
  }
  const environment: Record<string, string> = {};
  for (const [index, [key, value]] of [...settings].entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return settings.size === 0 ? {} : { ...environment, GIT_CONFIG_COUNT: String(settings.size) };
}

function cutAt(text: string, index: number): [string, string] | [] {
  return index < 0 ? [] : [text.slice(0, index), text.slice(index + 1)];
}
