/** Without these, git runs programs for a diff, and runs itself inside submodules. */
const plainDiff = ["--no-ext-diff", "--no-textconv", "--submodule=short"];

type CommandFacts = {
  /** Always passed, first. */
  flags: readonly string[];
  /** It would run what the configuration calls by a name of its own: filters, merge drivers, hooks of newer gits. */
  armed: boolean;
  /** It changes the repository or its files; reading code cannot ask for it. */
  writes?: true;
  /** It compares trees, and keeps a name for each file: a few objects can stand for more files than fit into memory. */
  comparesTrees?: true;
  /** It takes its lock before it changes anything, so that it may be tried again where another git holds it for a moment. */
  locks?: true;
  /** Outrank the configuration, for this command alone. */
  settings?: readonly string[];
};

/** A larger file has no lines to speak of; git would hold all of it in memory to find that out. */
const linesUpTo = "core.bigFileThreshold=32m";

/** A repository can have git notice less of what has changed: no change of times, or what a program of its own says. */
const fullLook = ["core.trustctime=true", "core.checkStat=default", "core.fsmonitor=false"];

/** The git subcommands Forge uses. An allow-list: what is not here, an alias included, cannot be run. */
export const gitCommands = {
  "cat-file": { flags: [], armed: false },
  "check-attr": { flags: [], armed: false },
  commit: {
    flags: ["--quiet", "--cleanup=verbatim"],
    armed: true,
    writes: true,
    settings: ["i18n.commitEncoding=UTF-8", "user.useConfigOnly=true", "core.splitIndex=false"],
  },
  "commit-tree": {
    flags: [],
    armed: true,
    writes: true,
    settings: ["i18n.commitEncoding=UTF-8", "user.useConfigOnly=true"],
  },
  config: { flags: [], armed: false },
  diff: {
    flags: [...plainDiff, "--ignore-submodules=dirty"],
    armed: true,
    comparesTrees: true,
    settings: [linesUpTo],
  },
  "diff-files": { flags: [...plainDiff, "--ignore-submodules=dirty"], armed: true, settings: fullLook },
  "diff-index": { flags: [...plainDiff, "--ignore-submodules=dirty"], armed: true },
  "diff-tree": { flags: plainDiff, armed: false, comparesTrees: true },
  "for-each-ref": { flags: [], armed: false },
  grep: { flags: ["--no-textconv", "--no-recurse-submodules"], armed: true },
  "hash-object": { flags: [], armed: true, writes: true },
  log: { flags: plainDiff, armed: false, comparesTrees: true },
  "ls-files": { flags: [], armed: false },
  "ls-tree": { flags: [], armed: false },
  "merge-base": { flags: [], armed: false },
  "merge-tree": { flags: ["--write-tree"], armed: true, writes: true, comparesTrees: true },
  notes: { flags: [], armed: true, writes: true, settings: ["user.useConfigOnly=true"] },
  "read-tree": { flags: ["--no-recurse-submodules"], armed: true, writes: true, locks: true },
  "rev-parse": { flags: [], armed: false },
  show: { flags: plainDiff, armed: false },
  // Without `dirty` git runs `git status` inside every submodule, where our overrides do not reach all.
  status: { flags: ["--ignore-submodules=dirty"], armed: true },
  switch: {
    flags: ["--quiet", "--no-guess", "--no-recurse-submodules", "--no-overwrite-ignore"],
    armed: true,
    writes: true,
    locks: true,
  },
  "symbolic-ref": { flags: [], armed: true, writes: true, locks: true },
  "update-index": { flags: [], armed: true, writes: true, locks: true, settings: fullLook },
  "update-ref": { flags: [], armed: true, writes: true, locks: true },
  var: { flags: [], armed: false, settings: ["user.useConfigOnly=true"] },
  version: { flags: [], armed: false },
  worktree: { flags: [], armed: true, writes: true },
  "write-tree": { flags: ["--missing-ok"], armed: true, writes: true },
} as const satisfies Record<string, CommandFacts>;

export type GitCommand = keyof typeof gitCommands;

type IfReadOnly<Command extends GitCommand> = (typeof gitCommands)[Command] extends { writes: true } ? never : Command;
export type ReadCommand = { [Command in GitCommand]: IfReadOnly<Command> }[GitCommand];

export function factsOf(command: GitCommand): CommandFacts {
  return gitCommands[command];
}
