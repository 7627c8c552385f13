import * as z from "zod";
import { noteInstalled } from "../../../../commons/guard/installed-files.ts";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { invalidCursor } from "../../../../kernel/page.ts";
import {
  addSizes,
  type FileEntry,
  foldFolders,
  listFiles,
  pageEntries,
  requireExisting,
} from "../../files/list-files.ts";
import { requireGlob } from "../../files/require-glob.ts";
import { normalizePath } from "../../files/schemas.ts";
import type { FileServices } from "../../files/write-file.ts";
import { limits } from "../../model/limits.ts";
import { executionId } from "../../model/task-model.ts";

const defaultPageSize = 200;
const maxPageSize = 2_000;
const maxShownPathLength = 5_000;

const cursor = z
  .string()
  .max(2 * maxShownPathLength)
  .optional();

export const forgeListFiles = defineTool({
  name: "forge_list_files",
  title: "List files",
  description: "List tracked and new files. depth 1 lists one folder.",
  effect: "read",
  untrusted: "repository",
  core: true,
  unlessClientHas: "file tools",
  input: z.object({
    path: z.string().max(limits.path).optional(),
    pattern: z.string().min(1).max(limits.name).optional().describe("Such as src/**/*.ts"),
    depth: z.number().int().min(1).max(100).optional(),
    include_ignored: z.boolean().optional(),
    limit: z.number().int().min(1).max(maxPageSize).optional().describe(`Default ${defaultPageSize}`),
    cursor,
    execution_id: executionId,
  }),
  output: z.object({
    files: z
      .array(
        z.object({
          path: z.string().max(maxShownPathLength),
          size: z.number().int().optional(),
          kind: z.enum(["folder", "other"]).optional().describe("If it is not a file"),
          files: z.number().int().optional().describe("Number of files in the folder"),
        }),
      )
      .max(maxPageSize),
    total: z.number().int(),
    truncated: z.boolean(),
    next_cursor: cursor,
  }),
  async run({ executions, git }: FileServices, input, call) {
    const folder = normalizePath(input.path ?? "");
    const matches = await requireGlob(input.pattern);
    const workspace = await executions.openWorkspaceOrProject(call, input.execution_id);
    await requireExisting(workspace.files, folder);
    const ignored = input.include_ignored ?? false;
    const names = await listFiles(git, workspace, folder, { ignored, signal: call.signal });
    const wanted = names.filter(matches);
    const entries: FileEntry[] =
      input.depth === undefined ? wanted.map((path) => ({ path })) : foldFolders(wanted, folder, input.depth);
    const page = pageEntries(entries, input.cursor, input.limit ?? defaultPageSize);
    if (!page) throw invalidCursor();
    await noteInstalled(
      call,
      page.entries.map(({ path }) => path),
    );
    return {
      files: await addSizes(workspace.files, page.entries),
      total: entries.length,
      truncated: page.next !== undefined,
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
