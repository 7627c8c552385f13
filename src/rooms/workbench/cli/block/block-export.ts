import type { App } from "../../../../commons/cli/app.ts";
import { approveOutput } from "../../../../commons/cli/approve-output.ts";
import { commandFor } from "../../../../commons/cli/command-for.ts";
import type { Output } from "../../../../kernel/definitions/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { plain, plainJson } from "../../../../platform/terminal/text.ts";
import type { forgeExportBlocks } from "../../tools/board/forge-export-blocks.ts";
import type { forgeWriteBlocksFile } from "../../tools/board/forge-write-blocks-file.ts";
import { existingFile } from "../errors.ts";
import { commandFacts } from "../shared.ts";
import { isOwnFile } from "./own-file.ts";

export const blockExport = commandFor<typeof forgeExportBlocks>({
  ...commandFacts,
  tool: "forge_export_blocks",
  name: "block export",
  summary: "Export blocks and tasks as a blocks_config.json",
  details:
    "To stdout, or to a file. The project's own blocks_config.json is replaced if everything in it is on the board. Any other " +
    "existing file is only replaced with --force.",
  examples: [
    ["forge block export board.json", "Export the board to a file."],
    ["forge block export blocks_config.json", "Write the project's own file."],
  ],
  arguments: [{ name: "file", required: false, help: "Where to write it (default: stdout)." }],
  own: { force: { type: "boolean", help: "Replace an existing file." } },
  async instead(input, out, { app, positionals: [file], options, call }) {
    if (isStdout(file)) {
      if (!out.json) return undefined;
      // As the file has it: numbers and the order of names stay.
      const { text } = await call<typeof forgeExportBlocks>("forge_export_blocks", input);
      out.print(plainJson(text.trimEnd()));
      return 0;
    }
    if (!isOwnFile(app, file)) return undefined;
    const overwrite = options["force"] === true;
    const written = await call<typeof forgeWriteBlocksFile>("forge_write_blocks_file", { overwrite });
    out.data(
      written,
      ({ path, blocks, tasks }) => `Wrote ${path} (${formatCount(blocks, "block")}, ${formatCount(tasks, "task")})`,
    );
    return 0;
  },
  async json({ text }, { app, out, positionals: [file = ""], options }) {
    await write(app, out, { file, text, force: options["force"] === true });
    return { path: file };
  },
  async print({ text }, out, { app, positionals: [file], options }) {
    if (isStdout(file)) return print(text, out);
    await write(app, out, { file, text, force: options["force"] === true });
    out.print(`Wrote ${plain(file)}`);
  },
});

function isStdout(file: string | undefined): file is undefined | "-" {
  return file === undefined || file === "-";
}

/** JSON can escape what a terminal would interpret. */
function print(text: string, out: Output): void {
  if (out.width !== undefined) out.print(plainJson(text.trimEnd()));
  else out.exact(text);
}

async function write(
  app: App,
  out: Output,
  { file, text, force }: { file: string; text: string; force: boolean },
): Promise<void> {
  await approveOutput(app, "forge block export", [{ file, text }], out);
  try {
    await app.files.write(file, text, { force });
  } catch (error) {
    const exists = error instanceof ForgeError && error.code === "CONFLICT_ERROR" && !force;
    throw exists ? existingFile(file, error) : error;
  }
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
