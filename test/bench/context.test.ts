import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { findClone, type LabelledTask, measureTask } from "../../bench/context/measure.ts";
import { writeFiles } from "../harness/git/git.ts";
import { projectOf } from "../harness/rooms/workbench/workbench-project.ts";

const before = {
  "src/cart/total.ts":
    'import { addTax } from "../money/tax";\nexport function cartTotal() {\n  return addTax(1);\n}\n',
  "src/cart/total.test.ts": 'import { cartTotal } from "./total";\ntest("total", () => cartTotal());\n',
  "src/money/tax.ts": "export const taxRate = 0.2;\nexport function addTax(amount: number) {\n  return amount;\n}\n",
  "src/money/tax.test.ts": 'import { addTax } from "./tax";\ntest("tax", () => addTax(1));\n',
  "docs/tax.md": "# Tax\n\nThe tax rate is added to the cart total.\n",
  "benchmarks/tax.ts": 'import { addTax } from "../src/money/tax";\naddTax(1); // tax rate of the cart total\n',
  "src/pages/home.ts": "export const home = 1;\n",
  "src/pages/tax-free-weekend.md": "Cart and total and rate: all on sale.\n",
};

test("measures both rankings on the commit before the change", async () => {
  const project = projectOf(before);
  writeFiles(project.folder, {
    "src/money/tax.ts": "changed\n",
    "src/money/new-rate.ts": "the answer: tax rate cart total\n",
  });
  project.run("add", "--all");
  project.run("commit", "--quiet", "--message", "Tax rate of the cart total");
  const task: LabelledTask = {
    repository: "shop/project",
    commit: project.run("rev-parse", "HEAD").trim(),
    name: "Round the tax in the cart total",
    description: "addTax() rounds to cents; the taxRate stays as it is.",
    changed: ["src/money/tax.ts", "src/money/tax.test.ts", "src/cart/total.ts"],
    also: ["src/cart/total.test.ts", "docs/tax.md"],
  };
  const { forge, bm25 } = await measureTask(task, project.folder);
  expect(forge.precision).toBeGreaterThanOrEqual(0.8);
  expect(forge).toMatchObject({ recall: 1 });
  expect(bm25.precision).toBeLessThan(forge.precision);
});

test("finds clones below a folder, and skips with a message without them", async () => {
  const { folder, sandbox } = projectOf({ a: "" });
  expect(findClone(sandbox.root, "home/project")).toBeUndefined();
  expect(findClone(join(folder, ".."), "project")).toBe(folder);
  const run = ["--import", "tsx", "bench/context/run.ts", "--repositories", sandbox.root];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, run);
  expect(stdout).toBe("");
  expect(stderr).toContain("Skipped: pallets/click, honojs/hono, gorilla/mux, sharkdp/bat, google/gson.");
});
