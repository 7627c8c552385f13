import * as z from "zod";
import { ForgeError } from "../../../../kernel/errors.ts";
import { defineTool } from "../../../../kernel/tool.ts";
import { listFiles, requireExisting } from "../../files/list-files.ts";
import { globMatcher } from "../../files/pattern/glob.ts";
import { lineMatcher } from "../../files/pattern/line-matcher.ts";
import { normalizePath } from "../../files/schemas.ts";
import { searchFiles } from "../../files/search-files.ts";
import type { FileServices } from "../../files/write-file.ts";
import { limits } from "../../model/limits.ts";
import { executionId } from "../../model/task-model.ts";

const defaultLimit = 100;
const maxLimit = 500;
const maxContextLines = 10;
const lineSchema = z.string().max(limits.line);
const contextSchema = z.array(lineSchema).max(maxContextLines).optional();

export const forgeSearchFiles = defineTool({
  name: "forge_search_files",
  title: "Search in files",
  description:
    "Call it to find where a text stands in the files that git does not ignore. One match a line, the first; `total` counts matching lines. With `regex` it is a regular expression without look-around and back-references.",
  effect: "read",
  unlessClientHas: "file tools",
  input: z.object({
    query: z.string().min(1).max(1_000),
    regex: z.boolean().optional(),
    case_sensitive: z.boolean().optional().describe("Default true."),
    path: z.string().max(limits.path).optional().describe("A folder or file; everything unless told."),
    pattern: z.string().min(1).max(limits.name).optional().describe("Only files such as *.ts or src/**/*.{js,ts}."),
    context_lines: z.number().int().min(0).max(maxContextLines).optional(),
    limit: z.number().int().min(1).max(maxLimit).optional().describe(`Default ${defaultLimit}.`),
    execution_id: executionId,
  }),
  output: z.object({
    matches: z
      .array(
        z.object({
          file_path: z.string().max(5_000),
          line: z.number().int(),
          column: z.number().int(),
          text: lineSchema,
          before: contextSchema,
          after: contextSchema,
        }),
      )
      .max(maxLimit),
    total: z.number().int(),
    truncated: z.boolean(),
    files_searched: z.number().int(),
    files_skipped: z.number().int().optional().describe("No text, larger than 2 MiB, or not to be read."),
  }),
  async run({ executions, git }: FileServices, input, call) {
    const folder = normalizePath(input.path ?? "");
    if (/[\r\n]/.test(input.query)) throw overLines();
    const { regex = false, case_sensitive: caseSensitive = true } = input;
    const matcher = lineMatcher(input.query, { regex, caseSensitive });
    const fits = input.pattern === undefined ? () => true : globMatcher(input.pattern);
    const workplace = await executions.workplaceOrProject(call, input.execution_id);
    await requireExisting(workplace.files, folder);
    const { signal } = call;
    const paths = (await listFiles(git, workplace, folder, { ignored: false, signal })).filter(fits);
    const { limit = defaultLimit, context_lines: contextLines = 0 } = input;
    const found = await searchFiles(workplace.files, paths, matcher, { limit, contextLines, signal });
    return {
      matches: found.matches.map(({ path, line, column, text, before, after }) => ({
        file_path: path,
        line,
        column,
        text,
        ...(contextLines > 0 && { before, after }),
      })),
      total: found.total,
      truncated: !found.isComplete || found.total > found.matches.length,
      files_searched: found.searched,
      ...(found.skipped > 0 && { files_skipped: found.skipped }),
    };
  },
});

function overLines(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The query has a line's end in it; a match is within one line.", {
    next: ["Search for one of the lines, with context_lines to see those around it."],
  });
}
