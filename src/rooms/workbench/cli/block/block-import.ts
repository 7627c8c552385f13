import { commandFor } from "../../../../commons/cli/command-for.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { forgeImportBlocks } from "../../tools/board/forge-import-blocks.ts";
import { commandFacts } from "../shared.ts";
import { isOwnFile } from "./own-file.ts";

const maxFileBytes = 64 * 1_048_576;
const maxShownKept = 20;

type Tally = { added: number; updated: number; unchanged: number };

export const blockImport = commandFor<typeof forgeImportBlocks>({
  ...commandFacts,
  tool: "forge_import_blocks",
  name: "block import",
  summary: "Import blocks and tasks from a file",
  details:
    "Without a file it imports the project's blocks_config.json again. New entries are added, different ones are changed to what " +
    "the file says, and those that the file lacks stay. If something is wrong with the file, nothing is imported.",
  examples: [
    ["forge block import --dry-run", "Show what would change."],
    ["forge block import", "Import the project's own file again."],
    ["forge block import plan.json --statuses file", "Import another file, with its statuses."],
  ],
  arguments: [{ name: "file", required: false, help: "Another file than blocks_config.json; - reads standard input." }],
  only: true,
  options: { dry_run: {}, statuses: {} },
  async toInput(given, { app, out, positionals: [file] }) {
    if (file === undefined || isOwnFile(app, file)) return given;
    const text = await app.files.read(file, out.signal, maxFileBytes);
    return { ...given, text, source: file === "-" ? "standard input" : file };
  },
  print({ blocks, tasks, kept, dry_run }, out) {
    if (dry_run) out.print("Nothing was changed. This would be the result:");
    out.print(formatTally("Blocks", blocks));
    out.print(formatTally("Tasks", tasks));
    if (kept.length > 0) out.print(`Not in the file, and kept: ${kept.length}`);
    for (const one of kept.slice(0, maxShownKept)) out.print(`  ${plain(one)}`);
    if (kept.length > maxShownKept) out.print(`  and ${kept.length - maxShownKept} more`);
  },
});

function formatTally(name: string, { added, updated, unchanged }: Tally): string {
  return `${name}: ${added} added, ${updated} updated, ${unchanged} unchanged`;
}
