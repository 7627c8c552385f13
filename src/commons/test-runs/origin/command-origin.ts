import { join } from "node:path";
import type { RunOrder } from "../runner.ts";
import type { OriginEvidence } from "./judge-origin.ts";
import { makeNodeVariables, readNodeOrigin } from "./node-preload.ts";
import { makePythonVariables, readPythonOrigin } from "./python-origin.ts";

/**
 * Where the code came from that a command of the project's own tested. What it starts is not known beforehand, so the runners of
 * Node and Python are reached by variables, and tell only if they run.
 */

/** Files of the Python plug-in have the names of those for Node. */
const forPython = (order: RunOrder): RunOrder => ({ ...order, reports: join(order.reports, "python") });

const node = /\b(?:vitest|jest|mocha)\b|\bnode\b[^\n;&|]* --test\b/;
const python = /\b(?:pytest|py\.test|tox|nox)\b/;
const gradle = /(?:^|[\s/])gradlew?\s/m;

export async function makeCommandVariables(order: RunOrder): Promise<Record<string, string>> {
  const { project } = order;
  const isPython = (await project.listFiles()).some((path) => path.endsWith(".py"));
  return {
    ...(project.isFile("package.json") && (await makeNodeVariables(order))),
    ...(isPython && (await makePythonVariables(forPython(order)))),
  };
}

/** `text`: the command and the scripts it runs; `others`: of runners in it that can be asked. All that it names must tell. */
export async function readCommandOrigin(
  order: RunOrder,
  text: string,
  others: readonly Promise<OriginEvidence>[],
): Promise<OriginEvidence> {
  const [ofNode, ofPython] = [readNodeOrigin(order), await readPythonOrigin(forPython(order))];
  const all: OriginEvidence[] = [
    ...("unknown" in ofNode && !node.test(text) ? [] : [ofNode]),
    ...("unknown" in ofPython && !python.test(text) ? [] : [ofPython]),
    ...(gradle.test(text)
      ? [{ unknown: "Gradle reports it only if Forge starts Gradle itself, without testCommand" }]
      : []),
    ...(await Promise.all(others)),
  ];
  const unknown = all.find((one) => "unknown" in one);
  if (unknown) return unknown;
  if (all.length === 0) return { unknown: "the configured command started no test runner that Forge knows" };
  const told = all.filter((one) => "loaded" in one);
  return { loaded: told.flatMap(({ loaded }) => loaded), copies: told.flatMap(({ copies = [] }) => copies) };
}
