/** What the stand-in reads as wherever a text is needed. */
export const sampleText = "SAMPLE";

const textMethods = ["replace", "replaceAll", "toLowerCase", "toUpperCase", "padStart", "padEnd", "codePointAt"];
const listMethods = [
  "map",
  "flatMap",
  "filter",
  "join",
  "some",
  "every",
  "find",
  "findIndex",
  "forEach",
  "reduce",
  "entries",
];

/**
 * Stands in for an argument of any type, so that a function which makes an error can be called without knowing its types: a
 * text where a text is needed, a list with one element where one is iterated, an object that has every property.
 */
export function anyArgument(): unknown {
  const stand: object = new Proxy({}, { get: (_target, name) => member(name), ownKeys: () => [] });
  const list = [stand];
  const bound = (value: object, name: string | symbol): unknown => Reflect.get(value, name).bind(value);
  const itself = () => stand;
  const no = () => false;
  const members = new Map<string | symbol, unknown>([
    [Symbol.toPrimitive, (hint: string) => (hint === "number" ? 1 : sampleText)],
    [Symbol.iterator, bound(list, Symbol.iterator)],
    ...textMethods.map((name) => [name, bound(Object(sampleText), name)] as const),
    ...listMethods.map((name) => [name, bound(list, name)] as const),
    ...["toString", "toJSON"].map((name) => [name, () => sampleText] as const),
    ...["length", "size"].map((name) => [name, 1] as const),
    ...["slice", "at", "get", "trim", "sort", "toSorted"].map((name) => [name, itself] as const),
    ...["includes", "has", "startsWith", "endsWith"].map((name) => [name, no] as const),
    ["split", () => [stand, stand]],
    ["then", undefined],
  ]);
  const member = (name: string | symbol) =>
    members.has(name) ? members.get(name) : typeof name === "symbol" ? undefined : stand;
  return stand;
}
