/** What git adds to a diff by running a program, unless told not to; and submodules, which it shows by running itself in them. */
const plainDiff = ["--no-ext-diff", "--no-textconv", "--submodule=short"];

type CommandFacts = {
  /** Always passed, first. */
  flags: readonly string[];
  /** It reads files of the work tree, and so would run the filters that convert them. */
  converts: boolean;
};

/** The git subcommands Forge uses. An allow-list: what is not here, an alias included, cannot be run. */
export const gitCommands = {
  config: { flags: [], converts: false },
  diff: { flags: [...plainDiff, "--ignore-submodules=dirty"], converts: true },
  log: { flags: plainDiff, converts: false },
  "ls-tree": { flags: [], converts: false },
  "rev-parse": { flags: [], converts: false },
  show: { flags: plainDiff, converts: false },
  // Without `dirty` git runs `git status` inside every submodule, where our overrides do not reach all.
  status: { flags: ["--ignore-submodules=dirty"], converts: true },
  version: { flags: [], converts: false },
} as const satisfies Record<string, CommandFacts>;

export type GitCommand = keyof typeof gitCommands;
