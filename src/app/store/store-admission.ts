import { dirname, join, relative } from "node:path";
import type { Kysely } from "kysely";
import type { Seal } from "../../commons/guard/seal.ts";
import type { Admission, UnopenedStore } from "../../platform/db/types.ts";
import { entryAt } from "../../platform/files/entry-at.ts";
import { realPlace } from "../../platform/files/real-place.ts";
import type { Git } from "../../platform/git/git.ts";
import type { Project } from "../../platform/state/project.ts";
import { foreignLog, oversizedStore, unconfirmedStore } from "../local/errors.ts";
import { isMarkOf, sealStore } from "./seal-store.ts";

export type AdmissionOptions = {
  project: Project;
  git: Git;
  seal: Seal;
  /** Whether the user's home knows the project. */
  isKnown(): Promise<boolean>;
  /** Asks the user; undefined if there is no terminal. */
  confirm(question: string): Promise<boolean | undefined>;
};

/** Who made a store: this user, somebody unknown (earlier versions sealed nothing), or another user. */
type Owner = "user" | "unknown" | "other";

const maxTextBytes = 65_536;
const maxDocumentBytes = 8 * 1_048_576;
/** Columns that hold long text; every other one holds a line. */
const documentColumns = /^(?:document|details|content|output|result|data|body|text|words|touches|answer|marks|report)/;

/**
 * Decides whether the project's store is opened. One that this user sealed is theirs. One without a seal is taken over silently
 * if it cannot have come with the repository; any other only after the user has confirmed it, and what came with the
 * repository counts as text by others from then on.
 */
export function makeAdmission({ project, git, seal, isKnown, confirm }: AdmissionOptions): Admission {
  const place = realPlace(project.stateDir);
  const admit: Admission["admit"] = async (store) => {
    const putSeal = (db: Kysely<unknown>) => sealStore(db, seal, { place, file: store.file });
    if (store.isEmpty) return putSeal;
    const { owner, isHere } = await readOwner(store, seal, place);
    if (owner === "user" && isHere) return undefined;
    const isTracked = await isInGit(project, git, store.file);
    if (!isTracked && (owner === "user" || (owner === "unknown" && (await isKnown())))) return putSeal;
    requireBounded(store);
    const isForeign = isTracked || owner === "other";
    const answer = await confirm(describe(store.file, isForeign));
    if (!answer) throw unconfirmedStore(store.file, isForeign);
    return async (db) => {
      if (isForeign) await (await import("./foreign-store.ts")).markForeign(db);
      await putSeal(db);
    };
  };
  return {
    admit,
    // A store that bears the user's seal would keep it, and have the planted pages all the same.
    async requireOwnLog(log) {
      if (await isInGit(project, git, log)) throw foreignLog(log);
    },
  };
}

function describe(file: string, isForeign: boolean): string {
  return isForeign
    ? `${file} came with the repository or from another user. Use it? Its content then counts as text by others, and its checks, proof and record of calls are removed.`
    : `${file} was not created by this version of Forge for you. Is it yours, and should Forge use it?`;
}

async function readOwner(store: UnopenedStore, seal: Seal, place: string): Promise<{ owner: Owner; isHere: boolean }> {
  if (!store.hasTable("guard_mark")) return { owner: "unknown", isHere: false };
  const stamp = await seal.toCheck();
  const rows = store.rows("select subject, sha256, seal from guard_mark where kind = 'store' limit 100");
  const own = rows.filter(({ subject, sha256, seal: mark }) =>
    stamp.fits(["store", String(subject), String(sha256)], String(mark)),
  );
  const isHere = own.some(({ subject, sha256 }) => subject === place && isMarkOf(String(sha256), store.file));
  return { owner: own.length > 0 ? "user" : rows.length > 0 ? "other" : "unknown", isHere };
}

/** Whether git would put the store into every clone. If git cannot tell, it is taken for tracked. */
async function isInGit({ inGit, stateDir }: Project, git: Git, file: string): Promise<boolean> {
  const root = dirname(stateDir);
  // A repository of its own, which a submodule or an archive brought.
  if (entryAt(join(stateDir, ".git"))) return true;
  if (!inGit || stateDir.endsWith("/forge")) return false;
  try {
    const { signal } = new AbortController();
    return await git.work(root).files.isTracked(relative(root, file), signal);
  } catch {
    return true;
  }
}

/** Before anything reads it into memory: a planted row can be larger than the machine. */
function requireBounded(store: UnopenedStore): void {
  const columns = store.rows(
    "select t.name as tbl, c.name as col from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table' and t.sql not like 'create virtual%' and t.name not like 'sqlite_%'",
  );
  for (const { tbl, col } of columns) {
    const [table, column] = [quote(String(tbl)), quote(String(col))];
    const max = documentColumns.test(String(col)) || String(tbl).startsWith("blob") ? maxDocumentBytes : maxTextBytes;
    const found = store.rows(`select 1 from ${table} where length(cast(${column} as blob)) > ${max} limit 1`);
    if (found.length > 0) throw oversizedStore(store.file, `${tbl}.${col}`, max);
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
