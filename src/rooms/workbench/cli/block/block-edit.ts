import { commandFor } from "../../../../commons/cli/command-for.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeUpdateBlock } from "../../tools/board/forge-update-block.ts";
import { commandFacts } from "../shared.ts";
import { suggestBlock } from "../suggestions.ts";

export const blockEdit = commandFor<typeof forgeUpdateBlock>({
  ...commandFacts,
  tool: "forge_update_block",
  name: "block edit",
  summary: "Change a block's name or description",
  details: "Tasks that depend on the block by its old name no longer find it.",
  examples: [['forge block edit Auth --name "Sign-in"', "Rename a block."]],
  arguments: [{ field: "block_id", name: "block", help: "The block's id or name." }],
  complete: suggestBlock,
  print: ({ block_id, name }, out) => out.print(`Updated ${plain(block_id)}: ${plain(name)}`),
});
