import fc from "fast-check";
import { expect, it, test } from "vitest";
import { anyCharacter } from "../../../../../test/harness/commons/any-character.ts";
import {
  blockInFile,
  by,
  fileOf,
  openBoard,
  projectFolder,
  type TaskInFile,
  taskInFile,
} from "../../../../../test/harness/rooms/workbench/workbench-board.ts";
import { parseJson, printJson } from "./json.ts";
import { readBlocks } from "./read-blocks.ts";

const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 30 }), fc.string({ unit: anyCharacter, maxLength: 10 }));
const texts = fc.array(text, { maxLength: 3 });
/** Ids that JavaScript would move to the front are among them. */
const id = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9]{6}$/),
  fc.constantFrom("1", "0", "42", "__proto__", "a/b", "constructor"),
);
const plain = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 20 }).filter((name) => name.trim() !== "");
/** What Forge does not know; the digits are another program's spelling of numbers. */
const unknown = fc.dictionary(
  fc.constantFrom("priority", "x", "__proto__", "7", "notes"),
  fc.jsonValue({ maxDepth: 2 }),
  {
    maxKeys: 3,
  },
);
const task = fc
  .record({
    description: text.filter((said) => !said.trimEnd().endsWith("]")),
    acceptance_criteria: texts,
    dependencies: fc.array(fc.oneof(plain, fc.constant("")), { maxLength: 3 }),
    estimated_effort: text,
    files_affected: texts,
    log: text,
    commit_id: fc.constantFrom("", "abc", "No commit id"),
    status: fc.constantFrom("[TODO]", "[IN-PROGRESS]", "[COMPLETED]", "[FAILED]"),
  })
  .chain((said) => unknown.map((more): TaskInFile => taskInFile("", { ...said, ...more })));
const block = fc
  .record({ tasks: fc.uniqueArray(fc.tuple(id, task), { selector: ([key]) => key, maxLength: 4 }), more: unknown })
  .map(({ tasks, more }) => ({
    said: blockInFile("", "", [], more),
    tasks: tasks.map(([key, given]) => ({ ...given, task_id: key })),
  }));
const file = fc
  .uniqueArray(fc.tuple(fc.tuple(id, plain), block), {
    comparator: ([[a, nameA]], [[b, nameB]]) => a === b || nameA === nameB,
    maxLength: 3,
  })
  .map((blocks) => {
    // By text: an object would bring the names into its own order.
    const one = ([[key, name], { said, tasks }]: (typeof blocks)[number]) => {
      const list = tasks.map((given) => `${JSON.stringify(given["task_id"])}:${JSON.stringify(given)}`).join(",");
      const whole = { ...said, name, block_id: key };
      return JSON.stringify(whole).replace('"todo_list":{}', () => `"todo_list":{${list}}`);
    };
    return printJson(parseJson(`[${blocks.map(one).join(",")}]`, "made").value, "  ");
  });

test("a file in the original's form in which nothing was changed is written again byte for byte", async () => {
  const project = projectFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(file, async (given) => {
      project.put(given);
      const { board } = openBoard({ file: `${project.folder}/.forge/forge-${run++}.db` }, { folder: project.folder });
      expect((await board.tasks({})).warnings.filter((warning) => warning.includes("left aside"))).toEqual([]);
      expect(await board.exportText()).toBe(given);
    }),
    { numRuns: 40 },
  );
});

test("numbers and the order of names stay as another program wrote them", async () => {
  const given = printJson(
    parseJson('[{"10":1.0,"name":"A","block_id":"a","2":[1e5,-0,12345678901234567890],"z":{"b":0,"1":0}}]', "x").value,
    "  ",
  );
  const { folder } = projectFolder(given);
  const { board } = openBoard({ file: `${folder}/.forge/forge.db` }, { folder });
  await board.updateBlock(by(), "A", { description: "more" });
  const text = await board.exportText();
  expect(text).toContain('"10": 1.0,\n    "name": "A"');
  expect(text).toContain("1e5,\n      -0,\n      12345678901234567890");
  expect(text).toContain('"b": 0,\n      "1": 0');
});

const good = fileOf(blockInFile("Auth", "aaaaaa", [taskInFile("t1")]));
const withTask = (said: TaskInFile) => fileOf(blockInFile("Auth", "aaaaaa", [taskInFile("t1", said)]));

it.each([
  ["truncated", good.slice(0, 300), /^f, line \d+, column \d+: (a string is not closed|the JSON ends too early)/],
  ["empty", "", /^f, line 1, column 1: the JSON ends too early/],
  ["no list", "{}", /^f, line 1, the file: this is an object. Expected a list of blocks/],
  ["a name twice", good.replace('"log"', '"status"'), /^f, line \d+, column \d+: the name "status" appears twice/],
  ["deep", `[{"name":"A","x":${"[".repeat(100)}`, /nested deeper than 64 levels/],
  ["block no object", "[[]]", /^f, line 1, block 1: this is a list/],
  ["no name", '[{"block_id":"a"}]', /^f, line 1, block 1: it has no name/],
  [
    "list as text",
    withTask({ acceptance_criteria: "one" }),
    /block Auth, task t1, acceptance_criteria: this is a text/,
  ],
  ["number in a list", withTask({ dependencies: [1] }), /block Auth, task t1, dependencies: one entry is a number/],
  ["number as text", withTask({ task_name: 7 }), /task t1, task_name: this is a number. Expected a text/],
  ["strange status", withTask({ status: "soon" }), /^f, line \d+, block Auth, task t1: "soon" is not a status/],
  [
    "long text",
    withTask({ description: "x".repeat(100_001) }),
    /description: it has 100001 characters. Expected at most/,
  ],
  ["long list", withTask({ files_affected: Array(501).fill("x") }), /it has 501 entries/],
  ["NUL in a name", withTask({ task_name: "a\0b" }), /task_name: it contains an invalid character/],
  ["half a character", withTask({ dependencies: ["\ud800"] }), /it contains an invalid character/],
  ["unseen id", fileOf(blockInFile("A", "a\u0007", [])), /block A, block_id: this is not a valid id/],
  [
    "an id twice",
    fileOf(blockInFile("A", "a", []), blockInFile("B", "a", [])),
    /its block_id "a" is also used by another block/,
  ],
  ["todo_list as text", '[{"name":"A","todo_list":"x"}]', /block A, todo_list: this is a text/],
  ["more after it", `${good} x`, /more text after the JSON/],
])("a file that is %s is refused with its place", (_name, given, message) => {
  expect(() => readBlocks(given, "f")).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
  expect(() => readBlocks(given, "f")).toThrow(message);
  expect(() => readBlocks(given, "f")).toThrow("Nothing was imported.");
});

test("a byte order mark is no trouble, other encodings and huge files are refused", async () => {
  const { folder, put } = projectFolder(`\ufeff${good}`);
  const { board } = openBoard({ file: `${folder}/.forge/forge.db` }, { folder });
  expect(await board.tasks({})).toMatchObject({ total: 1, warnings: [] });
  put(Buffer.from(good, "utf16le"));
  await expect(board.importFile(by())).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  put(new Uint8Array(65 * 1_048_576).fill(0x20));
  await expect(board.importFile(by())).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect((await board.totals()).tasks).toBe(1);
});

test("names that objects have of themselves are only names", () => {
  const { blocks } = readBlocks(
    '[{"name":"A","__proto__":{"polluted":1},"todo_list":{"__proto__":{"task_name":"x"}}}]',
    "f",
  );
  expect(blocks[0]?.tasks[0]?.id).toBe("__proto__");
  expect({}).not.toHaveProperty("polluted");
});
