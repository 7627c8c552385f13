import { expect, test } from "vitest";
import { parseYaml } from "./parse-yaml.ts";

/** Blocks in each other, 49 to a line. */
function nest(depth: number, mark: string, leaf: string): string {
  const lines: string[] = [];
  for (let done = 0; done < depth; done += 49)
    lines.push(" ".repeat(2 * done) + mark.repeat(Math.min(49, depth - done)).trimEnd());
  return `${lines.join("\n")} ${leaf}\n`;
}

test("blocks that are nested over many lines are refused before the parser has used up its stack", () => {
  for (const mark of ["- ", "? "])
    for (const depth of [250, 960, 2_500]) expect(() => parseYaml(nest(depth, mark, "a"))).toThrow("nested too deeply");
  expect(parseYaml(nest(90, "- ", "a")).value).toHaveLength(1);
});

test("so are brackets that seem to be closed by those in texts and comments", () => {
  for (const pair of ['["]",', "[ #]\n"])
    for (const depth of [300, 1_500])
      expect(() => parseYaml(`${pair.repeat(depth)}1${"]".repeat(depth)}`)).toThrow("nested too deeply");
});
