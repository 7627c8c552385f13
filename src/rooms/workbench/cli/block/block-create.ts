import { commandFor } from "../../../../commons/cli/command-for.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeCreateBlock } from "../../tools/board/forge-create-block.ts";
import { commandFacts } from "../shared.ts";

export const blockCreate = commandFor<typeof forgeCreateBlock>({
  ...commandFacts,
  tool: "forge_create_block",
  name: "block create",
  summary: "Create a block",
  details: "Prints the id of the new block. Add tasks with `forge task create`.",
  examples: [['forge block create Auth --description "Sign-in and accounts"', "Create a block."]],
  arguments: [{ field: "name", help: "Its name, which must be unique." }],
  only: true,
  options: {
    description: { help: "What it is for." },
    block_id: { flag: "id", help: "Its id: letters, digits, _ and - (default: a new id)." },
  },
  print: ({ block_id }, out) => out.print(plain(block_id)),
});
