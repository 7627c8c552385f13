import { commandGroup } from "../../../hosts/cli/subcommands.ts";

export const task = commandGroup({
  name: "task",
  summary: "Look at and change tasks, and see which can be worked on",
  details:
    "A task is named by its block and its own id, as BLOCK/TASK or as two words; a block by its id or its name. `forge run` is " +
    "about work on them.",
  examples: [
    ["forge task ready", "What can be worked on now, and what the others wait for."],
    ['forge task create Auth "Add sign-in" --criterion "A token comes back"', "Write one down."],
    ["forge task show Auth/Ab12Cd", "Read one."],
  ],
  group: "tasks",
  parts: async () => (await import("./work/index.ts")).taskCommands,
});
