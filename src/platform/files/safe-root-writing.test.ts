import { chmodSync, linkSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { failing, openings, projectWith } from "../../../test/harness/fs/faults-project.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { sha256Of } from "./root/read-all.ts";
import { Trash } from "./trash/trash.ts";

describe.each(openings)("SafeRoot writes, %s", (_name, how) => {
  const project = (files?: Record<string, string | Buffer>) => projectWith(how, files);

  test("creates a file with its folders, and replaces it", async () => {
    const { root, folder } = project();
    const sha256 = sha256Of(Buffer.from("one"));
    expect(await root.write("a/b/c.txt", "one")).toEqual({ path: "a/b/c.txt", bytes: 3, sha256, created: true });
    expect(await root.write("a/b/c.txt", Buffer.from("two"))).toMatchObject({ created: false });
    expect(readFileSync(join(folder, "a/b/c.txt"), "utf8")).toBe("two");
    expect(readdirSync(join(folder, "a/b"))).toEqual(["c.txt"]);
  });

  test("keeps permissions, and gives new files the usual ones", async () => {
    const { root, folder } = project({ script: "old" });
    chmodSync(join(folder, "script"), 0o751);
    await root.write("script", "new");
    await root.write("fresh", "new");
    const mode = (name: string) => statSync(join(folder, name)).mode & 0o777;
    expect(mode("script")).toBe(0o751);
    expect(mode("fresh")).toBe(0o666 & ~process.umask());
  });

  test("changes one name of a file with several, not the file behind them all", async () => {
    const { root, folder } = project({ "../outside/f": "theirs" });
    linkSync(join(folder, "../outside/f"), join(folder, "f"));
    await root.write("f", "ours");
    expect(readFileSync(join(folder, "../outside/f"), "utf8")).toBe("theirs");
  });

  test("D17 is refused where the file is not what was expected, and says what it is", async () => {
    const { root, folder } = project({ f: "one" });
    const { sha256 } = await root.readText("f");
    writeFileSync(join(folder, "f"), "somebody else's");
    const current = sha256Of(Buffer.from("somebody else's"));
    await expect(root.write("f", "two", { sha256 })).rejects.toMatchObject({
      code: "CONFLICT_ERROR",
      details: { path: "f", expectedSha256: sha256, currentSha256: current },
    });
    await expect(root.delete("f", new Trash(join(folder, "../state")), { sha256 })).rejects.toEqual(
      failing("CONFLICT_ERROR"),
    );
    expect(readFileSync(join(folder, "f"), "utf8")).toBe("somebody else's");
    await root.write("f", "two", { sha256: current.toUpperCase() });
    expect(readFileSync(join(folder, "f"), "utf8")).toBe("two");
  });

  test("D17 of several that change what they read, one succeeds and the others hear of it", async () => {
    const { root } = project({ f: "0" });
    const { sha256 } = await root.read("f");
    const results = await Promise.allSettled([1, 2, 3, 4].map((n) => root.write("f", String(n), { sha256 })));
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(failures).toEqual(Array(3).fill(failing("CONFLICT_ERROR")));
  });

  test("of several that create a file, one succeeds", async () => {
    const { root } = project();
    const results = await Promise.allSettled([1, 2, 3].map((n) => root.write("f", String(n), { state: "absent" })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(root.write("f", "x", { state: "absent" })).rejects.toEqual(failing("CONFLICT_ERROR"));
    await expect(root.write("g/h", "x", { state: "present" })).rejects.toEqual(failing("NOT_FOUND"));
    expect(await root.stat("g")).toBeUndefined();
  });

  test("D04 never goes through a link, dangling or not, to a place outside or inside", async () => {
    const { root, folder } = project({ "d/f": "old", "../outside/f": "theirs" });
    symlinkSync("d", join(folder, "in"));
    symlinkSync("../outside", join(folder, "out"));
    symlinkSync("../outside/new", join(folder, "dangling"));
    symlinkSync("d/f", join(folder, "file"));
    for (const path of ["in/f", "in/new", "out/f", "out/new", "out/sub/new", "dangling", "file"]) {
      await expect(root.write(path, "x"), path).rejects.toEqual(failing("PERMISSION_DENIED"));
      await expect(root.delete(path, new Trash(join(folder, "../state"))), path).rejects.toBeInstanceOf(ForgeError);
    }
    await expect(root.write("in/f", "x")).rejects.toMatchObject({ details: { realPath: "d" } });
    expect(readdirSync(join(folder, "../outside"))).toEqual(["f"]);
    expect(readFileSync(join(folder, "../outside/f"), "utf8")).toBe("theirs");
    expect(readFileSync(join(folder, "d/f"), "utf8")).toBe("old");
  });

  test.each([
    ["a folder", "d", "x", "VALIDATION_ERROR"],
    ["a name below a file", "d/f/g", "x", "VALIDATION_ERROR"],
    ["the root", "", "x", "VALIDATION_ERROR"],
    ["half a character", "g", "\ud800", "VALIDATION_ERROR"],
    ["too much", "g", "x".repeat(10_485_761), "VALIDATION_ERROR"],
  ])("refuses %s and changes nothing", async (_what, path, content, code) => {
    const { root, folder } = project({ "d/f": "old" });
    await expect(root.write(path, content)).rejects.toEqual(failing(code));
    expect(readdirSync(folder)).toEqual(["d"]);
    expect(readdirSync(join(folder, "d"))).toEqual(["f"]);
  });
});
