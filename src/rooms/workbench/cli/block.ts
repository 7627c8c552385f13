import { commandGroup } from "../../../hosts/cli/subcommands.ts";

export const block = commandGroup({
  name: "block",
  summary: "Look at and change the parts that a project's work is divided into",
  details:
    "A block is a part of the project with tasks of its own. Blocks live in the project's store; a blocks_config.json is read " +
    "when it is first seen, and afterwards when you say so.",
  examples: [
    ["forge block list", "All blocks, with how much of each is done."],
    ['forge block create Auth --description "Who somebody is"', "Another one."],
    ["forge block import --dry-run", "What reading blocks_config.json again would change."],
  ],
  group: "tasks",
  parts: async () => (await import("./work/index.ts")).blockCommands,
});
