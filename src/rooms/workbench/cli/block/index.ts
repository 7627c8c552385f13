import type { App } from "../../../../commons/cli/app.ts";
import { type Command, defineGroup } from "../../../../kernel/definitions/command.ts";
import { blockCreate } from "./block-create.ts";
import { blockEdit } from "./block-edit.ts";
import { blockExport } from "./block-export.ts";
import { blockImport } from "./block-import.ts";
import { blockList } from "./block-list.ts";
import { blockShow } from "./block-show.ts";

const block = defineGroup<App>({
  name: "block",
  summary: "Manage blocks, the parts of a project",
  details:
    "A block is a part of the project with tasks of its own. Blocks are stored in the project's database. A blocks_config.json " +
    "is imported automatically the first time, and afterwards on request.",
  examples: [
    ["forge block list", "List all blocks and their progress."],
    ['forge block create Auth --description "Sign-in and accounts"', "Create a block."],
    ["forge block import --dry-run", "Show what importing blocks_config.json again would change."],
  ],
  group: "tasks",
});

export const blockCommands: Command<App>[] = [
  block,
  blockList,
  blockShow,
  blockCreate,
  blockEdit,
  blockImport,
  blockExport,
];
