import { join } from "node:path";
import { expect, test } from "vitest";
import { link } from "../../../../test/harness/commons/trust.ts";
import { makeDatedFolder } from "../../../../test/harness/fs/dated-files.ts";
import { writeFiles } from "../../../../test/harness/git/git.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { clonePackages } from "./clone-packages.ts";

test("nothing is written through a link of the commit that leads out of the tree", async () => {
  const [main, tree, outside] = [makeDatedFolder({}), makeDatedFolder({}), makeDatedFolder({})];
  const packages = { "packages/shop/node_modules/pad/index.js": "", "tools/node_modules/pad/index.js": "" };
  writeFiles(main, { "package.json": "{}", ...packages });
  writeFiles(tree, { "package.json": "{}", "tools/a.js": "" });
  writeFiles(outside, { "shop/a.js": "" });
  link(outside, join(tree, "packages"));
  const options = { signal: new AbortController().signal, isIgnored: async () => true };
  expect(await clonePackages(main, tree, options)).toEqual(["tools/node_modules"]);
  expect(entryAt(join(outside, "shop/node_modules"))).toBeUndefined();
});
