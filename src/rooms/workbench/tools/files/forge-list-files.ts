import * as z from "zod";
import { ForgeError } from "../../../../kernel/errors.ts";
import { defineTool } from "../../../../kernel/tool.ts";
import {
  addSizes,
  type FileEntry,
  foldFolders,
  listFiles,
  pageEntries,
  requireExisting,
} from "../../files/list-files.ts";
import { globMatcher } from "../../files/pattern/glob.ts";
import { normalizePath } from "../../files/schemas.ts";
import type { FileServices } from "../../files/write-file.ts";
import { limits } from "../../model/limits.ts";
import { executionId } from "../../model/task-model.ts";

const defaultPageSize = 500;
const maxPageSize = 2_000;
const maxShownPathLength = 5_000;

export const forgeListFiles = defineTool({
  name: "forge_list_files",
  title: "List files",
  description:
    "Call it to see which files there are, as git sees them: tracked ones and new ones, not what is ignored. `depth` 1 shows one folder, with folders below it as one entry each.",
  effect: "read",
  unlessClientHas: "file tools",
  input: z.object({
    path: z.string().max(limits.path).optional().describe("A folder; the root unless told."),
    pattern: z.string().min(1).max(limits.name).optional().describe("Such as *.ts or src/**/*.{js,ts}."),
    depth: z.number().int().min(1).max(100).optional(),
    include_ignored: z.boolean().optional(),
    limit: z.number().int().min(1).max(maxPageSize).optional().describe(`Default ${defaultPageSize}.`),
    cursor: z
      .string()
      .max(2 * maxShownPathLength)
      .optional(),
    execution_id: executionId,
  }),
  output: z.object({
    files: z
      .array(
        z.object({
          path: z.string().max(maxShownPathLength),
          size: z.number().int().optional(),
          kind: z.enum(["folder", "other"]).optional().describe("Where it is no file."),
          files: z.number().int().optional().describe("How many are in the folder."),
        }),
      )
      .max(maxPageSize),
    total: z.number().int(),
    truncated: z.boolean(),
    next_cursor: z
      .string()
      .max(2 * maxShownPathLength)
      .optional(),
  }),
  async run({ executions, git }: FileServices, input, call) {
    const folder = normalizePath(input.path ?? "");
    const fits = input.pattern === undefined ? () => true : globMatcher(input.pattern);
    const workplace = await executions.workplaceOrProject(call, input.execution_id);
    await requireExisting(workplace.files, folder);
    const ignored = input.include_ignored ?? false;
    const names = await listFiles(git, workplace, folder, { ignored, signal: call.signal });
    const wanted = names.filter(fits);
    const entries: FileEntry[] =
      input.depth === undefined ? wanted.map((path) => ({ path })) : foldFolders(wanted, folder, input.depth);
    const page = pageEntries(entries, input.cursor, input.limit ?? defaultPageSize);
    if (!page) throw strangeCursor();
    return {
      files: await addSizes(workplace.files, page.entries),
      total: entries.length,
      truncated: page.next !== undefined,
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});

function strangeCursor(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The cursor is not one that a list gave.", {
    next: ["Give next_cursor of the last answer as it was, or none to begin again."],
  });
}
