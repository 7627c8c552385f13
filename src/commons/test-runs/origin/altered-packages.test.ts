import { expect, test } from "vitest";
import { makeDatedFolder, writeDated } from "../../../../test/harness/fs/dated-files.ts";
import { makeLink } from "../../../../test/harness/fs/workbench-disk.ts";
import { findAlteredPackages } from "./altered-packages.ts";

const installed = 1_700_000_000;
const [before, after] = [installed - 60, installed + 60];
const find = (root: string) => findAlteredPackages(root, new AbortController().signal);

test.each([".package-lock.json", ".modules.yaml", ".yarn-state.yml", ".yarn-integrity"])(
  "files of packages that are newer than %s are found, caches are not",
  async (marker) => {
    const ofMember = "packages/member/node_modules/b/index.js";
    const root = makeDatedFolder({
      [`node_modules/${marker}`]: installed,
      "node_modules/.pnpm-workspace-state-v1.json": after,
      "node_modules/a/index.js": before,
      "node_modules/a/late.js": installed + 2,
      "node_modules/.cache/x.js": after,
      "node_modules/.vite/x.js": after,
      "node_modules/a/.vitest/x.js": after,
      "src/new.js": after,
      [ofMember]: before,
    });
    expect(await find(root)).toEqual([]);
    makeLink(root, "node_modules/.bin-of-others", "a/index.js");
    expect(await find(root)).toEqual(["node_modules/.bin-of-others"]);
    // A member of a workspace has no trace of its own.
    writeDated(root, ofMember, installed + 4);
    expect((await find(root)).sort()).toEqual(["node_modules/.bin-of-others", ofMember]);
    // A new installation settles it.
    writeDated(root, `node_modules/${marker}`, Date.now() / 1_000);
    expect(await find(root)).toEqual([]);
  },
);

test("packages of Python are compared with what was installed last; without a trace nothing is", async () => {
  const packages = ".venv/lib/python3.12/site-packages";
  const root = makeDatedFolder({
    [`${packages}/one/__init__.py`]: after,
    [`${packages}/one-1.dist-info/RECORD`]: installed,
    [`${packages}/one/__pycache__/x.cpython-312.pyc`]: after,
  });
  expect(await find(root)).toEqual([`${packages}/one/__init__.py`]);
  writeDated(root, `${packages}/two-1.dist-info/INSTALLER`, after);
  expect(await find(root)).toEqual([]);
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`node_modules/a/${index}.js`, after]));
  expect(await find(makeDatedFolder(many))).toEqual([]);
  expect(await find(makeDatedFolder({ ...many, "node_modules/.package-lock.json": installed }))).toHaveLength(3);
});
