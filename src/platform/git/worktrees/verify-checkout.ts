import { createHash } from "node:crypto";
import { join } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { realPathOf } from "../../files/real-place.ts";
import { readSmallFile } from "../../files/small-file.ts";
import { readNamed, seeNamed } from "../index/fingerprint.ts";
import { requireCommitId } from "../names/branch-name.ts";
import { fromRecords, listNames, textOf } from "../names/raw-names.ts";
import { entryNamed } from "../read/entry-named.ts";
import { gitlink, indexEntries, type TreeEntry, treeEntries } from "../read/tree-entries.ts";
import type { GitRunner } from "../run/runner.ts";
import { withScratch } from "../run/scratch.ts";

const link = "120000";
const maxConvertedBytes = 64 * 1_048_576;
const maxAttributesBytes = 1_048_576;

/** Attributes by which git writes a file otherwise than it is in the commit; macros may stand for any of them. */
const conversions = /\b(?:text|crlf|eol|ident|filter|working-tree-encoding|binary)\b|\[attr\]/;

/**
 * Throws where a work tree that git has just made is not what the commit says: an object that does not belong to its id, a link
 * that became a file, or content that attributes outside the commit convert. Returns the files that the commit's own attributes
 * convert by more than their line ends.
 */
export async function verifyCheckout(
  runner: GitRunner,
  folder: string,
  commit: string,
  signal: AbortSignal,
): Promise<string[]> {
  const at = runner.at(folder);
  if (!at) throw damagedCheckout(runner, commit, "its work tree was replaced");
  await requireIntactTrees(at, requireCommitId(commit), signal);
  const entries = (await treeEntries(at, commit, signal)).filter(({ mode }) => mode !== gitlink);
  const other = await findDifferent(at, entries, signal);
  const replaced = other.find(({ mode, name }) => entryNamed(at, name)?.isSymbolicLink() !== (mode === link));
  if (replaced) throw damagedCheckout(at, commit, describe([replaced]));
  if (other.length === 0) return [];
  const isSame = await findConverted(at, other, signal);
  const broken = other.filter((entry) => !isSame(entry));
  if (broken.length > 0) throw damagedCheckout(at, commit, describe(broken));
  if (convertsHere(at)) throw convertedFiles(at, other);
  return other.filter((entry) => !isByLineEnds(at, entry)).map(({ name }) => textOf(name));
}

/** Those of the entries that have another content in the work tree, byte for byte. */
async function findDifferent(runner: GitRunner, entries: readonly TreeEntry[], signal: AbortSignal) {
  // Git reads names line by line, and follows links.
  const isPlain = ({ mode, name }: TreeEntry) => mode !== link && !/^"|[\r\n]/.test(name);
  const plain = entries.filter(isPlain);
  const input = Buffer.from(plain.map(({ name }) => `${name}\n`).join(""), "latin1");
  const chunks: Buffer[] = [];
  const onStdout = (chunk: Buffer) => void chunks.push(chunk);
  const args = ["--no-filters", "--stdin-paths"];
  const { code } = await runner.run("hash-object", args, { signal, input, onStdout, deadlineMs: 600_000 });
  const ids = code === 0 ? Buffer.concat(chunks).toString("latin1").split("\n") : [];
  const other = plain.filter(({ id }, at) => ids[at] !== id);
  for (const entry of entries.filter((one) => !isPlain(one))) {
    const { print = "", blob } = await seeNamed(runner, entry.name, entry.id.length);
    if (blob !== entry.id || print.startsWith("link:") !== (entry.mode === link)) other.push(entry);
  }
  return other;
}

/** The one file of attributes that git reads whatever its settings say, and that no commit contains. */
function attributesOf({ location }: GitRunner): string {
  return join(location.commonDir, "info", "attributes");
}

function convertsHere(runner: GitRunner): boolean {
  const place = realPathOf(attributesOf(runner));
  if (place === undefined) return false;
  const text = readSmallFile(place, maxAttributesBytes);
  return text === undefined || text.split("\n").some((line) => !line.startsWith("#") && conversions.test(line));
}

/** Git takes it on trust that a tree in its store is the one of its id. */
async function requireIntactTrees(runner: GitRunner, commit: string, signal: AbortSignal): Promise<void> {
  const root = await runner.line("rev-parse", ["--verify", `${commit}^{tree}`], { signal });
  const folders = await runner.records("ls-tree", ["-r", "-d", "-z", "--full-tree", commit], { signal });
  const ids = new Set([commit, root, ...folders.flatMap((record) => /^040000 tree (\w+)/.exec(record)?.[1] ?? [])]);
  const chunks: Buffer[] = [];
  const onStdout = (chunk: Buffer) => void chunks.push(chunk);
  const input = Buffer.from(`${[...ids].join("\n")}\n`);
  await runner.must("cat-file", ["--batch"], { signal, input, onStdout });
  const output = Buffer.concat(chunks);
  for (let from = 0; from < output.length; ) {
    const end = output.indexOf("\n", from);
    const [id = "", type = "", size = ""] = output.toString("latin1", from, end).split(" ");
    const content = output.subarray(end + 1, end + 1 + Number(size));
    if (!Number.isSafeInteger(Number(size)) || idOf(type, content, id.length) !== id)
      throw damagedCheckout(runner, commit, `the ${type} ${id.slice(0, 12)} in git's store has other content`);
    if (id === commit && !content.toString("latin1").startsWith(`tree ${root}\n`))
      throw damagedCheckout(runner, commit, "it has another tree");
    from = end + 1 + content.length + 1;
  }
}

function idOf(type: string, content: Buffer, digits: number): string {
  const hash = createHash(digits === 64 ? "sha256" : "sha1");
  return hash.update(`${type} ${content.length}\0`).update(content).digest("hex");
}

/** Which of the files git would commit as they are in the commit: only their form here is another. */
function findConverted(runner: GitRunner, entries: readonly TreeEntry[], signal: AbortSignal) {
  return withScratch(runner, "fresh", async ({ objects: environment }) => {
    const input = fromRecords(entries.map(({ name }) => name));
    const args = ["--add", "--remove", "-z", "--stdin"];
    await runner.must("update-index", args, { signal, environment, input, deadlineMs: 120_000 });
    const made = new Map((await indexEntries(runner, signal, environment)).map(({ name, id }) => [name, id]));
    return ({ name, id }: TreeEntry) => made.get(name) === id;
  });
}

function isByLineEnds(runner: GitRunner, { name, id }: TreeEntry): boolean {
  const bytes = readNamed(runner, name, maxConvertedBytes);
  if (bytes === undefined || bytes === "large") return false;
  const plain = Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
  return idOf("blob", plain, id.length) === id;
}

function describe(entries: readonly TreeEntry[]): string {
  return `git wrote other content than the commit's to ${listNames(entries.map(({ name }) => textOf(name)))}`;
}

function damagedCheckout({ workTree }: GitRunner, commit: string, why: string): ForgeError {
  return new ForgeError("STORE_ERROR", `The commit ${commit.slice(0, 12)} could not be checked out as it is: ${why}.`, {
    details: { workTree, commit },
    next: ["Look for damage in the repository with `git fsck --full`."],
  });
}

function convertedFiles(runner: GitRunner, entries: readonly TreeEntry[]): ForgeError {
  const { workTree } = runner;
  const file = attributesOf(runner);
  const names = entries.map(({ name }) => textOf(name));
  return new ForgeError(
    "CONFIG_ERROR",
    `${file} converts files when git writes them, so they are not what is committed: ${listNames(names)}.`,
    {
      details: { workTree, file, files: names.slice(0, 100) },
      next: [
        `Move what ${file} says about text, eol, ident, encodings and filters to a .gitattributes that is committed.`,
      ],
    },
  );
}
