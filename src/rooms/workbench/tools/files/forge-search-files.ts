import { join } from "node:path";
import * as z from "zod";
import { noteInstalled } from "../../../../commons/guard/installed-files.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { realPlace } from "../../../../platform/files/real-place.ts";
import { multilineQuery } from "../../files/errors.ts";
import { createLineMatcher } from "../../files/line-matcher.ts";
import { listFiles, requireExisting } from "../../files/list-files.ts";
import { requireGlob } from "../../files/require-glob.ts";
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
  description: "Find lines in files. Ignored files are left out.",
  effect: "read",
  untrusted: "repository",
  verbatim: true,
  core: true,
  unlessClientHas: "file tools",
  input: z.object({
    query: z.string().min(1).max(1_000),
    regex: z.boolean().optional().describe("RE2 syntax"),
    case_sensitive: z.boolean().optional().meta({ default: true }),
    path: z.string().max(limits.path).optional(),
    pattern: z.string().min(1).max(limits.name).optional().describe("Such as src/**/*.ts"),
    context_lines: z.number().int().min(0).max(maxContextLines).optional(),
    limit: z.number().int().min(1).max(maxLimit).optional().describe(`Default ${defaultLimit}`),
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
    files_skipped: z
      .number()
      .int()
      .optional()
      .describe("Not text, larger than 2 MiB, not readable, or with lines too long for the expression"),
  }),
  async run({ executions, git, redactor }: FileServices, input, call) {
    const folder = normalizePath(input.path ?? "");
    if (/[\r\n]/.test(input.query)) throw multilineQuery();
    const { regex = false, case_sensitive: caseSensitive = true } = input;
    const matcher = await createLineMatcher(input.query, { regex, caseSensitive });
    const matches = await requireGlob(input.pattern);
    const workspace = await executions.openWorkspaceOrProject(call, input.execution_id);
    await requireExisting(workspace.files, folder);
    const { signal } = call;
    const paths = (await listFiles(git, workspace, folder, { ignored: false, signal })).filter(matches);
    const { limit = defaultLimit, context_lines: contextLines = 0 } = input;
    const found = await searchFiles(workspace.files, paths, matcher, { limit, contextLines, signal, redactor });
    const foundIn = [...new Set(found.matches.map(({ path }) => path))];
    await noteInstalled(
      call,
      foundIn.flatMap((path) => [path, realPlace(join(workspace.path, path))]),
    );
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
