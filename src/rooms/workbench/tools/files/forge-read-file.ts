import * as z from "zod";
import { ForgeError } from "../../../../kernel/errors.ts";
import { defineTool } from "../../../../kernel/tool.ts";
import { shownPath } from "../../../../platform/files/root/relative-path.ts";
import { readFileContext } from "../../context/file-context.ts";
import { reportStage } from "../../executions/timeline/progress.ts";
import { contextSchema, shortenContext } from "../../files/context-fields.ts";
import { maxBinaryBytes, maxCharacters, readBinary, readText } from "../../files/read-file.ts";
import { aboutFile, encoding, filePath, normalizeFilePath, sha256 } from "../../files/schemas.ts";
import type { FileServices } from "../../files/write-file.ts";
import { limits } from "../../model/limits.ts";
import { executionId } from "../../model/task-model.ts";

const line = z.number().int().min(1).max(100_000_000).optional();

export const forgeReadFile = defineTool({
  name: "forge_read_file",
  title: "Read a file",
  description: `Call it to read a file of the execution, or of the project where none is open. At most ${maxCharacters} characters come at once: where \`truncated\`, go on at next_start_line. Give the sha256 to forge_write_file or forge_edit_file to be refused where somebody changed the file meanwhile.`,
  effect: "read",
  unlessClientHas: "file tools",
  input: z.object({
    file_path: filePath,
    include_context: z
      .boolean()
      .optional()
      .describe("Also what it imports and exports, who imports it, and its tests."),
    start_line: line.describe("First line, from 1."),
    end_line: line.describe("Last line, included."),
    encoding: encoding.optional().describe(`base64 for what is no UTF-8 text, at most ${maxBinaryBytes} bytes.`),
    execution_id: executionId,
  }),
  output: z.object({
    file_path: z.string().max(limits.path),
    content: z.string().max(maxCharacters),
    sha256: sha256.describe("Of the whole file."),
    encoding,
    total_lines: z.number().int(),
    truncated: z.boolean(),
    next_start_line: z.number().int().optional(),
    has_bom: z.literal(true).optional().describe("It begins with a byte order mark, which is not in the content."),
    context: contextSchema.optional(),
  }),
  about: aboutFile,
  async run({ executions, git, redactor }: FileServices, input, call) {
    const path = normalizeFilePath(input.file_path);
    const { files, path: root, execution } = await executions.workplaceOrProject(call, input.execution_id);
    if (execution) reportStage(call, execution, 0, execution.stage, `Reading ${shownPath(path)}`, [path]);
    if (input.encoding === "base64") {
      if (input.start_line !== undefined || input.end_line !== undefined) throw linesOfBytes();
      const read = await readBinary(files, path, redactor);
      return { file_path: path, ...read, encoding: "base64" as const, total_lines: 0, truncated: false };
    }
    const range = { from: input.start_line ?? 1, to: input.end_line ?? Number.POSITIVE_INFINITY };
    if (range.to < range.from) throw backwards(range);
    const part = await readText(files, path, range);
    const repository = { git, path: root };
    const context =
      input.include_context &&
      shortenContext(await readFileContext(files, path, part.whole, { signal: call.signal, repository }));
    return {
      file_path: path,
      content: part.content,
      sha256: part.sha256,
      encoding: "utf8" as const,
      total_lines: part.totalLines,
      truncated: part.truncated,
      ...(part.nextLine !== undefined && { next_start_line: part.nextLine }),
      ...(part.hasBom && { has_bom: true as const }),
      ...(context && { context }),
    };
  },
});

function linesOfBytes(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "With base64 a file is read whole: it has no lines.", {
    next: ["Leave out start_line and end_line, or the encoding."],
  });
}

function backwards({ from, to }: { from: number; to: number }): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `end_line (${to}) is before start_line (${from}).`, {
    next: ["Give an end_line that is not smaller than start_line."],
  });
}
