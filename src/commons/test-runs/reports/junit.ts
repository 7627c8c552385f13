import { SaxesParser } from "saxes";
import type { Counts } from "../runner.ts";

export type JunitCase = {
  name: string;
  className: string;
  file: string | undefined;
  line: number | undefined;
  outcome: keyof Counts;
  message: string;
};

const maxDepth = 50;

/**
 * The tests in a JUnit report, whoever wrote it. Undefined where it is no well-formed XML, or declares entities: no runner
 * does.
 */
export function readJunit(text: string): JunitCase[] | undefined {
  const cases: JunitCase[] = [];
  const parser = new SaxesParser();
  const open: string[] = [];
  let current: JunitCase | undefined;
  const isInFailure = () => current && (open.at(-1) === "failure" || open.at(-1) === "error");
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw new Error("A report has no DOCTYPE.");
  });
  parser.on("opentag", ({ name, attributes }) => {
    open.push(name);
    if (open.length > maxDepth) throw new Error("The report is nested too deeply.");
    if (name === "testcase") {
      current = toCase(attributes);
      cases.push(current);
    } else if (current && (name === "failure" || name === "error")) {
      current.outcome = "failed";
      current.message = joinTexts(current.message, attributes["message"] ?? "");
    } else if (current && name === "skipped" && current.outcome === "passed") current.outcome = "skipped";
  });
  const add = (piece: string) => {
    if (current && isInFailure()) current.message = joinTexts(current.message, piece);
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("closetag", ({ name }) => {
    open.pop();
    if (name === "testcase") current = undefined;
  });
  try {
    parser.write(text).close();
    return cases;
  } catch {
    return undefined;
  }
}

function toCase(attributes: Record<string, string>): JunitCase {
  const line = Number(attributes["line"]);
  return {
    name: attributes["name"] ?? "",
    className: attributes["classname"] ?? "",
    file: attributes["file"],
    line: Number.isSafeInteger(line) && attributes["line"] !== undefined ? line : undefined,
    outcome: "passed",
    message: "",
  };
}

/** The attribute is often the beginning of the text. */
function joinTexts(before: string, after: string): string {
  if (before === "" || after.includes(before)) return after;
  return `${before}\n${after}`;
}
