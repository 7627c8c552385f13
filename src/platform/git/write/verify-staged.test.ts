import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { committingSandbox } from "../../../../test/harness/git/committing.ts";
import { writeFiles } from "../../../../test/harness/git/git.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { Git, type RepositoryWork } from "../git.ts";

const { signal } = new AbortController();
const refusal = (changed: string[]) => new ForgeError("CONFLICT_ERROR", `changed: ${changed.join()}`);

let { sandbox, project, work }: ReturnType<typeof committingSandbox> = committingSandbox();
sandbox.dispose();

beforeEach(() => {
  ({ sandbox, project, work } = committingSandbox());
});
afterEach(() => sandbox.dispose());

/** Looks at a file, has something happen to it, and commits it as it was looked at. */
async function commitAsSeen(path: string, meanwhile: () => void = () => undefined, at: RepositoryWork = work) {
  const { commit: head = "" } = await at.head(signal);
  const seen = new Map([[path, await at.files.see(path, head)]]);
  meanwhile();
  return at.commits.create({ message: "m", trailers: {}, paths: [path], checked: { seen, refusal } }, signal);
}

describe("a commit of files that were looked at before", () => {
  it("takes them as they were", async () => {
    writeFiles(project, { "file.txt": "two\n" });
    expect((await commitAsSeen("file.txt")).files).toEqual(["file.txt"]);
  });

  it("is not made where one was saved since, and leaves the index as it was", async () => {
    writeFiles(project, { "file.txt": "two\n", "other.txt": "staged\n" });
    sandbox.git(project, "add", "other.txt");
    const before = sandbox.git(project, "ls-files", "--stage");
    const save = () => writeFiles(project, { "file.txt": "two\nmine\n" });
    await expect(commitAsSeen("file.txt", save)).rejects.toThrow("changed: file.txt");
    expect(sandbox.git(project, "ls-files", "--stage")).toBe(before);
    expect(sandbox.git(project, "log", "--format=%s").trim()).toBe("first");
  });

  it("nor where one came, or went away", async () => {
    sandbox.git(project, "rm", "--quiet", "--cached", "file.txt");
    writeFiles(project, { "file.txt": "two\n" });
    const moveAway = () => void sandbox.git(project, "mv", "--force", "other.txt", "file.txt");
    await expect(commitAsSeen("file.txt", moveAway)).rejects.toThrow("changed: file.txt");
    await expect(commitAsSeen("other.txt", () => writeFiles(project, { "other.txt": "back\n" }))).rejects.toThrow(
      "changed: other.txt",
    );
  });

  it("knows what git stores with other line ends", async () => {
    sandbox.git(project, "config", "core.autocrlf", "input");
    writeFiles(project, { "file.txt": "two\r\n" });
    const save = () => writeFiles(project, { "file.txt": "two\r\nmine\r\n" });
    await expect(commitAsSeen("file.txt", save)).rejects.toThrow("changed: file.txt");
    expect((await commitAsSeen("file.txt")).files).toEqual(["file.txt"]);
    expect(sandbox.git(project, "show", "HEAD:file.txt")).toBe("two\nmine\n");
  });

  it("works in a repository with longer ids", async () => {
    const modern = join(sandbox.root, "modern");
    mkdirSync(modern);
    sandbox.git(modern, "init", "--quiet", "--object-format=sha256");
    writeFiles(modern, { "a.txt": "a\n" });
    sandbox.git(modern, "add", "a.txt");
    sandbox.git(modern, "commit", "--quiet", "--message", "first");
    writeFiles(modern, { "a.txt": "b\n" });
    const there = new Git(sandbox).work(modern);
    const { commit = "" } = await there.head(signal);
    expect((await there.files.see("a.txt", commit)).blob).toBe(sandbox.git(modern, "hash-object", "a.txt").trim());
    expect((await commitAsSeen("a.txt", undefined, there)).files).toEqual(["a.txt"]);
  });
});

describe("a commit", () => {
  /** A git that finds a file of another folder where it looks for this one, as if it was swapped just then. */
  const swapping = (folder: string) => {
    const bin = join(sandbox.root, "bin");
    mkdirSync(bin);
    const program = join(bin, "git");
    const swap = `mv "${project}/${folder}" "${project}/aside" && mv "${project}/link" "${project}/${folder}"`;
    const back = `mv "${project}/${folder}" "${project}/link" && mv "${project}/aside" "${project}/${folder}"`;
    const real = sandbox.git(project, "--exec-path").trim();
    // Git itself looks at the folder first, and opens the file then: what it would have read is put there in between.
    const read = `id=$(cat "${project}/${folder}/a.txt" | "${real}/git" hash-object -w --stdin)`;
    const stage = `"${real}/git" update-index --add --cacheinfo "100644,$id,${folder}/a.txt"`;
    const body = `case " $* " in *" update-index --add --remove -z --stdin "*) cat >/dev/null; cd "${project}"; ${swap}; ${read}; ${back}; ${stage};; *) exec "${real}/git" "$@";; esac`;
    writeFileSync(program, `#!/bin/sh\n${body}\n`);
    chmodSync(program, 0o755);
    return new Git({
      ...sandbox,
      environment: { ...sandbox.environment, PATH: `${bin}:${sandbox.environment["PATH"]}` },
    });
  };

  it("D05 takes nothing from a folder that a link has taken the place of for a moment", async () => {
    const outside = join(sandbox.root, "outside");
    writeFiles(outside, { "a.txt": "secret of somebody else\n" });
    writeFiles(project, { "folder/a.txt": "ours\n" });
    symlinkSync(outside, join(project, "link"));
    const there = swapping("folder").work(project);
    const order = { message: "m", trailers: {}, paths: ["folder/a.txt"] };
    await expect(there.commits.create(order, signal)).rejects.toThrow("another program changed folder/a.txt");
    expect(sandbox.git(project, "log", "--format=%s").trim()).toBe("first");
    expect(sandbox.git(project, "ls-files", "folder")).toBe("");
    rmSync(join(sandbox.root, "bin"), { recursive: true });
    expect((await work.commits.create(order, signal)).files).toEqual(["folder/a.txt"]);
  });

  it("takes what git converts, also by a filter that gives something else each time", async () => {
    writeFiles(project, { ".gitattributes": "*.crlf text eol=crlf\n*.wide working-tree-encoding=UTF-16LE\n" });
    writeFiles(project, { "a.crlf": "one\r\ntwo\r\n" });
    writeFileSync(join(project, "b.wide"), Buffer.from("wide\n", "utf16le"));
    const paths = [".gitattributes", "a.crlf", "b.wide"];
    expect((await work.commits.create({ message: "m", trailers: {}, paths }, signal)).files.toSorted()).toEqual(paths);
    expect(sandbox.git(project, "show", "HEAD:a.crlf")).toBe("one\ntwo\n");
    expect(sandbox.git(project, "show", "HEAD:b.wide")).toBe("wide\n");
  });
});
