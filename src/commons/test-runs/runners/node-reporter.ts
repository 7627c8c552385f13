/**
 * A reporter for Node's own runner, written beside its report: the built-in ones leave out files or lines, or mix in what
 * tests print. A test that only holds other tests is not counted, as little as a suite.
 */
export const nodeReporter = `
const textOf = (error) => {
  const cause = error?.cause ?? error;
  return String(cause?.stack ?? cause?.message ?? cause ?? "");
};
export default async function* (source) {
  let inner = -1;
  const said = new Map();
  for await (const { type, data } of source) {
    if (type === "test:stderr" && data.file !== undefined)
      said.set(data.file, ((said.get(data.file) ?? "") + data.message).slice(-20000));
    if (type === "test:coverage") {
      const { totalLineCount: total, coveredLineCount: covered } = data.summary.totals;
      yield JSON.stringify({ kind: "coverage", total, covered }) + "\\n";
    }
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { name, nesting, file, line, details, skip, todo } = data;
    const isParent = inner === nesting + 1;
    inner = nesting;
    const error = details?.error;
    const isOwn = error !== undefined && error.failureType !== "subtestsFailed";
    if ((details?.type === "suite" || isParent) && !isOwn) continue;
    const isLeft = (skip !== undefined && skip !== false) || (todo !== undefined && todo !== false);
    const kind = isLeft ? "skip" : type === "test:pass" ? "pass" : "fail";
    // A file that could not be loaded: only its process says why.
    const isFile = kind === "fail" && file === name && said.has(file);
    const message = kind === "fail" ? (isFile ? said.get(file) : textOf(error)).slice(0, 20000) : undefined;
    yield JSON.stringify({ kind, name, file, line, message }) + "\\n";
  }
}
`;
