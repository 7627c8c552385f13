import { expect, it } from "vitest";
import { projectOf, taskOf } from "../../../../test/harness/rooms/workbench/workbench-project.ts";
import { ProjectIndex } from "../../../commons/code-index/project-index.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { ChangeHistory } from "./ranking/change-history.ts";
import { rankFiles } from "./ranking/rank-files.ts";
import { SourceReader } from "./source-reader.ts";
import { SourceStudy } from "./source-study.ts";

const { signal } = new AbortController();

it("reads only so much of a project, however many files may be read", async () => {
  const text = "a".repeat(256 * 1024);
  const names = Array.from({ length: 140 }, (_, at) => `f${at}.txt`);
  const project = projectOf(Object.fromEntries(names.map((name) => [name, text])));
  const reader = new SourceReader(SafeRoot.at(project.folder), { max: 1_000, signal });
  let read = 0;
  for (const name of names) read += (await reader.read(name))?.length ?? 0;
  expect(reader.isSpent).toBe(true);
  expect(read).toBe(32 * 1024 * 1024);
});

it("lets others have their turn between the files that are compared, and ends when it is told to", async () => {
  const names = Array.from({ length: 200 }, (_, at) => `f${at}.ts`);
  const words = (file: number) => Array.from({ length: 8_000 }, (_, at) => `word${file}x${at}`).join(" ");
  const project = projectOf(Object.fromEntries(names.map((name, at) => [name, words(at)])));
  const controller = new AbortController();
  const reader = new SourceReader(SafeRoot.at(project.folder), { max: 1_000, signal: controller.signal });
  const index = new ProjectIndex(names);
  const study = new SourceStudy(index, reader, []);
  await study.read(names);
  const ranking = rankFiles(taskOf({ name: "Words" }), names, { index, study, history: new ChangeHistory([]) });
  setImmediate(() => controller.abort(new Error("told to")));
  await expect(ranking).rejects.toThrow("told to");
});
