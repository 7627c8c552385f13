import { expect, test } from "vitest";
import { buildBoard } from "../../scripts/board.ts";

test("the board's first load is below 150 kB compressed, and nothing in it comes from elsewhere", async () => {
  const { board } = await buildBoard();
  const byName = new Map(board.files.map((file) => [file.name, file]));
  const first = new Set([board.script, board.style, board.worker]);
  for (const name of first) {
    const { text = "" } = byName.get(name) ?? {};
    for (const [, imported = ""] of text.matchAll(/(?:import|from)"\.\/([^"]+)"/g)) first.add(imported);
  }
  const bytes = [...first].reduce((sum, name) => sum + Buffer.from(byName.get(name)?.gzip ?? "", "base64").length, 0);
  expect(first.size).toBeGreaterThan(3);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(150_000);
  const namespaces = /http:\/\/www\.w3\.org\/\S*?(?=["'`])/g;
  for (const { name, text } of board.files) {
    expect(text.replaceAll(namespaces, ""), name).not.toMatch(/https?:\/\/(?!www\.w3\.org)|\beval\(|new Function\(/);
  }
});
