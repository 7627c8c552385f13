import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Of } from "../../../../src/platform/files/root/read-all.ts";
import { SafeRoot } from "../../../../src/platform/files/root/safe-root.ts";
import { Trash } from "../../../../src/platform/files/trash/trash.ts";
import { readPrivateFile, writePrivateFile } from "../../../../src/platform/files/write/private-file.ts";
import { FileCalls } from "../../rooms/workbench/workbench-file-calls.ts";
import { artifactClear, artifactStore } from "./sweep-artifact.ts";
import { buildStart, invariantsRecord } from "./sweep-governance.ts";
import { pluginInstall } from "./sweep-install.ts";
import { remember } from "./sweep-memory.ts";
import { packagePublish } from "./sweep-publish.ts";
import { ticketUpdate } from "./sweep-ticket.ts";

/** How a run of the target ended: it said so itself, or it was killed before it could. */
export type Ending =
  | { outcome: "done" }
  | { outcome: "refused"; code: string; message: string; made: boolean }
  | { outcome: "killed" };

/** One operation whose every system call is made to fail, and what must be true afterwards. */
export type SweepRow = {
  name: string;
  prepare(folder: string): Promise<void> | void;
  /** Loads everything that the operation needs, because failures of Node's loader are not interesting here. */
  warmUp?(folder: string): Promise<void>;
  run(folder: string): Promise<void>;
  /** Problems with what was left behind; empty if there are none. */
  faults(folder: string, ending: Ending): Promise<string[]> | string[];
  /** Completes the operation afterwards, as the next user would. */
  repeat(folder: string): Promise<void>;
};

export const oldContent = "old\n".repeat(1500);
export const newContent = "new\n".repeat(25_000);

const rootOf = (folder: string) => SafeRoot.at(join(folder, "root"));
const fileCallsIn = (folder: string) => new FileCalls(join(folder, "root"), { PATH: process.env["PATH"] ?? "" });
const trashOf = (folder: string) => new Trash(join(folder, "state"));
const fileOf = (folder: string, path = "f") => join(folder, "root", path);
const contentOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

function prepareRoot(folder: string, content?: string): void {
  mkdirSync(join(folder, "root"));
  if (content !== undefined) writeFileSync(fileOf(folder), content);
}

/** Either old or new: new if success was reported, old if failure was reported. */
function contentFaults(content: string | undefined, before: string | undefined, ending: Ending): string[] {
  const isOld = content === before;
  const isNew = content === newContent;
  if (!isOld && !isNew) return [`the content is neither old nor new (${content?.length} characters)`];
  if (ending.outcome === "done" && !isNew) return ["done was said, and the content is old"];
  if (ending.outcome === "refused" && ending.made !== isNew) return ["what was said of a failure is not so"];
  return [];
}

/** For a file that moves between the project and the trash: it is complete in at least one of the two places. */
async function placeFaults(folder: string, wantedInRoot: boolean, ending: Ending): Promise<string[]> {
  const inRoot = contentOf(fileOf(folder));
  const inTrash = await trashed(folder);
  if (inRoot !== undefined && inRoot !== oldContent) return ["the file in the project is not whole"];
  if (inTrash.some((content) => content !== oldContent)) return ["the file in the trash is not whole"];
  if (inRoot === undefined && inTrash.length === 0) return ["the file is lost"];
  const isInRoot = inRoot !== undefined;
  const saidToBeMoved = ending.outcome === "done" || (ending.outcome === "refused" && ending.made);
  if (ending.outcome === "killed" || saidToBeMoved === (isInRoot === wantedInRoot)) return [];
  return ["what was said of the move is not so"];
}

async function trashed(folder: string): Promise<(string | undefined)[]> {
  const entries = await trashOf(folder).list();
  return entries.map(({ id }) => contentOf(join(folder, "state", "trash", id, "content")));
}

const secretOf = (folder: string) => join(folder, "root", "home", "secret");

export const sweepRows: SweepRow[] = [
  {
    name: "replace",
    prepare: (folder) => prepareRoot(folder, oldContent),
    run: async (folder) => void (await rootOf(folder).write("f", newContent)),
    faults: (folder, ending) => contentFaults(contentOf(fileOf(folder)), oldContent, ending),
    repeat: async (folder) => void (await rootOf(folder).write("f", newContent)),
  },
  {
    name: "replace-expected",
    prepare: (folder) => prepareRoot(folder, oldContent),
    run: async (folder) =>
      void (await rootOf(folder).write("f", newContent, { sha256: sha256Of(Buffer.from(oldContent)) })),
    faults: (folder, ending) => contentFaults(contentOf(fileOf(folder)), oldContent, ending),
    repeat: async (folder) => void (await rootOf(folder).write("f", newContent)),
  },
  {
    name: "write-file",
    prepare: (folder) => prepareRoot(folder, oldContent),
    warmUp: (folder) => fileCallsIn(folder).must("forge_read_file", { file_path: "f" }),
    run: (folder) => fileCallsIn(folder).must("forge_write_file", { file_path: "f", content: newContent }),
    faults: (folder, ending) => contentFaults(contentOf(fileOf(folder)), oldContent, ending),
    repeat: async (folder) => void (await rootOf(folder).write("f", newContent)),
  },
  {
    name: "create",
    prepare: (folder) => prepareRoot(folder),
    run: async (folder) => void (await rootOf(folder).write("a/b/f", newContent)),
    faults: (folder, ending) => contentFaults(contentOf(fileOf(folder, "a/b/f")), undefined, ending),
    repeat: async (folder) => void (await rootOf(folder).write("a/b/f", newContent)),
  },
  {
    name: "delete",
    prepare: (folder) => prepareRoot(folder, oldContent),
    run: async (folder) => void (await rootOf(folder).delete("f", trashOf(folder))),
    faults: (folder, ending) => placeFaults(folder, false, ending),
    async repeat(folder) {
      if (existsSync(fileOf(folder))) await rootOf(folder).delete("f", trashOf(folder));
    },
  },
  {
    name: "restore",
    async prepare(folder) {
      prepareRoot(folder, oldContent);
      await rootOf(folder).delete("f", trashOf(folder));
    },
    async run(folder) {
      const [entry] = await trashOf(folder).list();
      await rootOf(folder).restore(entry?.id ?? "", trashOf(folder));
    },
    faults: (folder, ending) => placeFaults(folder, true, ending),
    async repeat(folder) {
      if (!existsSync(fileOf(folder))) await this.run(folder);
      // Writing to the same folder removes an old draft.
      await rootOf(folder).write("g", newContent);
    },
  },
  {
    name: "private",
    prepare(folder) {
      prepareRoot(folder);
      mkdirSync(join(folder, "root", "home"), { mode: 0o755 });
      writeFileSync(secretOf(folder), oldContent, { mode: 0o600 });
    },
    run: (folder) => writePrivateFile(secretOf(folder), newContent),
    faults(folder, ending) {
      const home = join(folder, "root", "home");
      const open = readdirSync(home).filter((name) => (statSync(join(home, name)).mode & 0o077) !== 0);
      return [
        ...contentFaults(contentOf(secretOf(folder)), oldContent, ending),
        ...open.map((name) => `others may look into ${name}`),
      ];
    },
    async repeat(folder) {
      await writePrivateFile(secretOf(folder), newContent);
      await readPrivateFile(secretOf(folder));
    },
  },
  ticketUpdate,
  pluginInstall,
  packagePublish,
  remember,
  artifactStore,
  buildStart,
  invariantsRecord,
  artifactClear,
];
