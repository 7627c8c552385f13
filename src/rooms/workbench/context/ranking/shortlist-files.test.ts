import { expect, it } from "vitest";
import { projectOf, taskOf } from "../../../../../test/harness/rooms/workbench/workbench-project.ts";
import { SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import { SourceReader } from "../source-reader.ts";
import { ChangeHistory } from "./change-history.ts";
import { shortlistFiles } from "./shortlist-files.ts";

it("finds no part of a secret among too many files to read", async () => {
  const token = `ghp_${"9fK2mQ7xR4tLc8Vb3Nw6Zd1Jh5Pg0SaYuEiT"}`;
  const project = projectOf({
    "a.ts": "export const a = 1;\n",
    "b.ts": `// With ${token}, to deploy.\n`,
    "c.ts": "\n",
  });
  const { signal } = new AbortController();
  const first = async (name: string) => {
    const reader = new SourceReader(SafeRoot.at(project.folder), { max: 10, signal });
    const repository = project.git.open(project.folder);
    const place = { all: 0, max: 1, reader, repository, folder: project.folder, signal };
    return shortlistFiles(taskOf({ name }), ["a.ts", "b.ts", "c.ts"], new ChangeHistory([]), place);
  };
  expect(await first("When to deploy")).toEqual(["b.ts"]);
  for (const part of [token.slice(4, 10), token.slice(6, 14)])
    expect(await first(part.toLowerCase())).toEqual(["a.ts"]);
});
