import fc from "fast-check";

/** JSON as people and editors write it: random values and layout, with comments and trailing commas. */

type Value =
  | { kind: "leaf"; text: string }
  | { kind: "array"; items: Value[] }
  | { kind: "object"; properties: [string, Value][] };

const leaf = fc
  .oneof(
    fc.string({ maxLength: 12 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom("// no", "/* no */", "}", "日本"),
  )
  .map((value): Value => ({ kind: "leaf", text: JSON.stringify(value) }));

const key = fc.oneof(fc.constantFrom("a", "b", "url", "π", "x y", "{", "//"), fc.string({ maxLength: 6 }));

const { value } = fc.letrec<{ value: Value; object: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie("object"),
    fc.array(tie("value"), { maxLength: 3 }).map((items): Value => ({ kind: "array", items })),
  ),
  object: objectOf(tie("value"), 3),
}));

function objectOf(item: fc.Arbitrary<Value>, maxLength: number): fc.Arbitrary<Value> {
  return fc
    .uniqueArray(fc.tuple(key, item), { maxLength, selector: ([name]) => name })
    .map((properties): Value => ({ kind: "object", properties }));
}

const blanks = ["", "", "", " ", "\n", "\n  ", "\t", " \n\t", "\n\n"];
const comments = [" // a, note }\n", "/* { */", "\n// x\n  ", " /* \n */ "];

function print(value: Value, gap: () => string, comma: () => boolean): string {
  if (value.kind === "leaf") return value.text;
  const parts =
    value.kind === "array"
      ? value.items.map((item) => print(item, gap, comma))
      : value.properties.map(([name, item]) => `${JSON.stringify(name)}${gap()}:${gap()}${print(item, gap, comma)}`);
  const [open, close] = value.kind === "array" ? "[]" : "{}";
  const inner = parts
    .map((part, index) => gap() + part + gap() + (index < parts.length - 1 || comma() ? "," : ""))
    .join("");
  return `${open}${inner}${gap()}${close}`;
}

/** One after the other, and again from the start. */
function turns<T>(items: T[]): () => T {
  let next = 0;
  return () => items[next++ % items.length] as T;
}

export type JsoncDocument = { text: string; hadContainer: boolean; hadServers: boolean };

/** A document that may or may not have servers under the key already; never one named `forge`. */
export function jsoncDocuments(containerKey: string): fc.Arbitrary<JsoncDocument> {
  const server = fc.tuple(
    key.filter((name) => name !== "forge"),
    value,
  );
  const container = fc.option(fc.uniqueArray(server, { maxLength: 3, selector: ([name]) => name }), { nil: undefined });
  const others = fc.uniqueArray(
    fc.tuple(
      key.filter((name) => name !== containerKey),
      value,
    ),
    { maxLength: 3, selector: ([name]) => name },
  );
  return fc
    .record({
      container,
      others,
      at: fc.nat(3),
      gaps: fc.array(
        fc.oneof(
          { weight: 5, arbitrary: fc.constantFrom(...blanks) },
          { weight: 1, arbitrary: fc.constantFrom(...comments) },
        ),
        { minLength: 1, maxLength: 40 },
      ),
      commas: fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }),
      isCrLf: fc.boolean(),
      isPlain: fc.boolean(),
      mark: fc.constantFrom("", "\uFEFF"),
      end: fc.constantFrom("", "\n", "\n\n"),
    })
    .map(({ container: servers, others: rest, at, gaps, commas, isCrLf, isPlain, mark, end }) => {
      const properties = [...rest];
      if (servers)
        properties.splice(Math.min(at, rest.length), 0, [containerKey, { kind: "object", properties: servers }]);
      const gap = turns(isPlain ? [""] : gaps);
      const comma = turns(isPlain ? [false] : commas);
      const text = gap() + print({ kind: "object", properties }, gap, comma) + gap() + end;
      return {
        text: mark + (isCrLf ? text.replaceAll("\n", "\r\n") : text),
        hadContainer: servers !== undefined,
        hadServers: (servers?.length ?? 0) > 0,
      };
    });
}
