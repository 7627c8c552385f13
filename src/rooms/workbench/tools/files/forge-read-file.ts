import { join } from "node:path";
import * as z from "zod";
import { noteInstalled } from "../../../../commons/guard/installed-files.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { showPath } from "../../../../platform/files/root/relative-path.ts";
import { readFileContext } from "../../context/file-context.ts";
import { reportStage } from "../../executions/timeline/report-progress.ts";
import { contextSchema, shortenContext } from "../../files/context-schema.ts";
import { endBeforeStart, linesOfBinary } from "../../files/errors.ts";
import { maxCharacters, readBinary, readText } from "../../files/read-file.ts";
import { aboutFile, encoding, filePath, normalizeFilePath, rareEncoding, sha256 } from "../../files/schemas.ts";
import type { FileServices } from "../../files/write-file.ts";
import { limits } from "../../model/limits.ts";
import { executionId } from "../../model/task-model.ts";

const line = z.number().int().min(1).max(100_000_000).optional();

export const forgeReadFile = defineTool({
  name: "forge_read_file",
  title: "Read a file",
  description: "Read a file of the open execution or the project. If `truncated`, continue at `next_start_line`.",
  effect: "read",
  untrusted: "repository",
  verbatim: true,
  core: true,
  unlessClientHas: "file tools",
  input: z.object({
    file_path: filePath,
    include_context: z.boolean().optional().describe("Add imports, exports, importers and tests"),
    start_line: line,
    end_line: line,
    encoding: rareEncoding,
    execution_id: executionId,
  }),
  output: z.object({
    file_path: z.string().max(limits.path),
    content: z.string().max(maxCharacters),
    sha256: sha256.describe("Of the entire file"),
    encoding,
    total_lines: z.number().int(),
    truncated: z.boolean(),
    next_start_line: z.number().int().optional(),
    has_bom: z.literal(true).optional().describe("The file begins with a byte order mark, which is not in `content`"),
    context: contextSchema.optional(),
  }),
  about: aboutFile,
  async run({ executions, git, redactor }: FileServices, input, call) {
    const path = normalizeFilePath(input.file_path);
    const { files, path: root, execution } = await executions.openWorkspaceOrProject(call, input.execution_id);
    if (execution) reportStage(call, execution, 0, execution.stage, `Reading ${showPath(path)}`, [path]);
    if (input.encoding === "base64") {
      if (input.start_line !== undefined || input.end_line !== undefined) throw linesOfBinary();
      const { path: realPath, ...read } = await readBinary(files, path, redactor);
      await noteInstalled(
        call,
        [path, realPath].map((place) => join(root, place)),
      );
      return { file_path: path, ...read, encoding: "base64" as const, total_lines: 0, truncated: false };
    }
    const range = { from: input.start_line ?? 1, to: input.end_line ?? Number.POSITIVE_INFINITY };
    if (range.to < range.from) throw endBeforeStart(range);
    const part = await readText(files, path, { range, redactor });
    await noteInstalled(
      call,
      [path, part.path].map((place) => join(root, place)),
    );
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
