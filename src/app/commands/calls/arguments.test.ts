import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { ForgeError } from "../../../kernel/errors.ts";
import { readArguments, readInputText } from "./arguments.ts";
import { propertiesOf } from "./shape.ts";

const node: z.ZodType = z.object({
  name: z.string(),
  get children() {
    return z.array(node).optional();
  },
});

const schema = z.toJSONSchema(
  z.object({
    title: z.string().max(100).optional().describe("What it is called"),
    status: z.enum(["READY", "DRAFT"]).optional(),
    limit: z.number().int().min(1).max(50).default(10),
    ratio: z.number().optional(),
    dry: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
    sizes: z.array(z.number()).optional(),
    kinds: z.array(z.enum(["a", "b"])).optional(),
    note: z.string().nullable().optional(),
    either: z.union([z.number(), z.string()]).optional(),
    options: z.object({ deep: z.object({ x: z.number() }).optional(), label: z.string().optional() }).optional(),
    labels: z.record(z.string(), z.string()).optional(),
    people: z.record(z.string(), z.object({ age: z.number() })).optional(),
    files: z.array(z.object({ path: z.string() })).optional(),
    tree: node.optional(),
    "dotted.name": z.string().optional(),
  }),
  { io: "input" },
);
const properties = propertiesOf(schema);
const read = (...words: string[]) => readArguments({ by: "call", name: "try_it" }, properties, words);

describe("words become values by the tool's schema", () => {
  test.each([
    [[], {}],
    [["title=a b = c"], { title: "a b = c" }],
    [["title="], { title: "" }],
    [["title=5"], { title: "5" }],
    [["title=@x,y"], { title: "@x,y" }],
    [["status=READY", "limit=5", "ratio=-1.5e2", "dry=false"], { status: "READY", limit: 5, ratio: -150, dry: false }],
    [["tags=a,b"], { tags: ["a", "b"] }],
    [["tags=a", "tags=b,c"], { tags: ["a", "b", "c"] }],
    [["tags="], { tags: [] }],
    [["tags=a", 'tags:=["b,c"]'], "tags was given twice"],
    [['tags:=["a,b","c"]'], { tags: ["a,b", "c"] }],
    [["sizes=1,2.5"], { sizes: [1, 2.5] }],
    [["kinds=a,b"], { kinds: ["a", "b"] }],
    [["note=null"], { note: "null" }],
    [["note:=null"], { note: null }],
    [["either=5"], { either: 5 }],
    [['either:="5"'], { either: "5" }],
    [["either=five"], { either: "five" }],
    [["options.deep.x=1", "options.label=y"], { options: { deep: { x: 1 }, label: "y" } }],
    [['options:={"label":"y"}'], { options: { label: "y" } }],
    [["labels.a.b=c", "labels.d=e"], { labels: { "a.b": "c", d: "e" } }],
    [["people.ann.age=5"], { people: { ann: { age: 5 } } }],
    [["dotted.name=x"], { "dotted.name": "x" }],
    [['files:=[{"path":"x"}]'], { files: [{ path: "x" }] }],
  ])("%j", (words, expected) => {
    if (typeof expected === "string") expect(() => read(...words)).toThrow(expected);
    else expect(read(...words)).toEqual(expected);
  });
});

describe("what does not fit is refused with its name, what was expected and an example", () => {
  test.each([
    ["limit=x", 'limit cannot be "x"; it must be an integer from 1 to 50.', "For example: limit=10"],
    ["limit=51", 'limit cannot be "51"', "limit=10"],
    ["limit=1.5", 'limit cannot be "1.5"', "limit=10"],
    ["limit= 5", 'limit cannot be " 5"', "limit=10"],
    ["dry=yes", 'dry cannot be "yes"; it must be true or false.', "dry=true"],
    ["status=REDY", 'status cannot be "REDY"; it must be READY or DRAFT.', "Did you mean `READY`?"],
    ["kinds=a,x", 'kinds cannot be "x"; it must be a or b.', "kinds=a"],
    ["titel=x", 'try_it has no argument "titel". Its arguments are title, status,', "Did you mean `title`?"],
    ["options.lable=x", "Its arguments are options.deep or options.label.", "options.label"],
    ["options=x", "options is an object; write it as KEY:=JSON.", "Or one part of it: options.deep"],
    ["files=x", "files is a list, written as JSON", `files:='[{"path":"TEXT"}]'`],
    ["options:={", "The value of options:= is not valid JSON.", "single quotes"],
    ["title", '"title" is not an argument. Write arguments as KEY=VALUE or KEY:=JSON.', "title=TEXT"],
    ["=x", '"=x" is not an argument', "title=TEXT"],
    [":=1", '":=1" is not an argument', "title=TEXT"],
    ["title.x=1", 'has no argument "title.x"', "--help"],
  ])("%s", (word, message, suggestion) => {
    const error = caught(() => read(word));
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining(message) });
    const [last, ...first] = [...(error.next ?? [])].reverse();
    expect([JSON.stringify(last), ...first].join("\n")).toContain(suggestion);
    expect(last).toEqual({ command: "call try_it --help", why: "to see its arguments" });
  });

  test("a key given twice, and a value in the place of an object", () => {
    expect(() => read("title=a", "title=b")).toThrow("title was given twice");
    expect(() => read('options:={"label":"x"}', "options.label=y")).toThrow("options.label was given twice");
  });

  test("what is missing, with an example of the whole call", () => {
    const needed = propertiesOf(z.toJSONSchema(z.object({ id: z.string().describe("Its id."), n: z.number() })));
    const error = caught(() => readArguments({ by: "call", name: "get_it" }, needed, ["n=1"]));
    expect(error.message).toBe("get_it needs id (Its id).");
    expect(error.next?.[0]).toBe("For example: forge call get_it id=TEXT n=10");
    expect(readArguments({ by: "call", name: "get_it" }, needed, ["n=1"], { id: "x" })).toEqual({ id: "x", n: 1 });
  });
});

test("words win over the input, key by key", () => {
  const input = { title: "a", tags: ["a"], options: { label: "l", deep: { x: 1 } } };
  expect(readArguments({ by: "call", name: "try_it" }, properties, ["tags=b", "options.deep.x=2"], input)).toEqual({
    title: "a",
    tags: ["b"],
    options: { label: "l", deep: { x: 2 } },
  });
});

test.each([
  ["{", "not valid JSON"],
  ["[1]", "not a JSON object"],
  ["null", "not a JSON object"],
  ["", "not valid JSON"],
])("the input %j is refused without being quoted", (text, why) => {
  expect(() => readInputText({ by: "call", name: "try_it" }, "file secret.json", text)).toThrow(
    `file secret.json cannot be used: it is ${why}`,
  );
});

test("C06 no key reaches a prototype", () => {
  const open = propertiesOf(
    z.toJSONSchema(z.object({ labels: z.record(z.string(), z.record(z.string(), z.string())) })),
  );
  const made = readArguments(
    { by: "call", name: "t" },
    open,
    ["labels.__proto__.polluted=1"],
    JSON.parse('{"__proto__":{"polluted":"1"}}'),
  );
  expect(Object.keys(Object(made["labels"]))).toEqual(["__proto__"]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("whatever the words, it is values or an error that names what to do", () => {
  const key = fc.oneof(
    fc.constantFrom(...properties.map(({ name }) => name), "options.deep.x", "labels.x"),
    fc.string(),
  );
  const word = fc
    .tuple(key, fc.constantFrom("=", ":=", ""), fc.oneof(fc.string(), fc.json()))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 4 }), (words) => {
      try {
        expect(read(...words)).toBeTypeOf("object");
      } catch (error) {
        expect(error).toMatchObject({ code: "VALIDATION_ERROR", next: expect.any(Array) });
      }
    }),
  );
});

test("text goes through as it is, whatever is in it", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(read(`title=${text}`)).toEqual({ title: text });
      expect(read(`title:=${JSON.stringify(text)}`)).toEqual({ title: text });
    }),
  );
});

function caught(work: () => unknown): ForgeError {
  try {
    work();
  } catch (error) {
    return error as ForgeError;
  }
  return expect.unreachable();
}
