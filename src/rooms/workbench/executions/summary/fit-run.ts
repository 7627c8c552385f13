import type { Action } from "../../../../kernel/action.ts";
import { byteLength } from "./byte-length.ts";
import { foldFrames } from "./fold-frames.ts";
import { shortenMiddle } from "./shorten-middle.ts";

/** Of a result as JSON: what an assistant reads after each run. */
const maxBytes = 4_096;
/** What may be asked for. */
const maxPageBytes = 32_768;
/** Tried one after the other, until the result fits. */
const messageLengths = [1_200, 600, 300];
const minMessageLength = 160;
const maxNameLength = 200;
const maxCommandLength = 300;
const maxOutputLength = 2_400;
const maxNotesLength = 600;

type Failure = { name: string; file?: string | undefined; line?: number | undefined; message: string };

type RunResult = {
  failures: Failure[];
  omitted_failures?: number | undefined;
  command: string[];
  notes?: string[] | undefined;
  output?: string | undefined;
  run_id: string;
  next?: Action[] | undefined;
};

/**
 * A result that is short enough to be read: failures once, frames of dependencies folded, and the output only where it says more
 * than the failures do. What is left out can be read with the id of the run.
 */
export function fitRun<Result extends RunResult>(result: Result): Result {
  const { output, ...rest } = result;
  const readable = {
    ...rest,
    failures: result.failures.map((failure) => ({ ...failure, message: foldFrames(failure.message) })),
    command: shortenList(result.command, maxCommandLength),
    ...(result.notes && { notes: shortenList(result.notes, maxNotesLength) }),
    ...keepOutput(output, result.failures, maxOutputLength),
  };
  if (isSame(readable, result)) return result;
  // When all tests passed, what is left out is not worth another call.
  if (result.failures.length === 0) return readable as Result;
  const all = result.failures.length;
  const next = readOn(result.run_id, 0);
  for (const length of messageLengths) {
    const short = { ...readable, ...takeFailures(readable, all, length), next };
    if (byteLength(short) <= maxBytes) return short as Result;
  }
  return fillPage({ ...readable, next } as Result, maxBytes, (count) => ({
    ...takeFailures(readable, count, minMessageLength),
    next,
  }));
}

/** An earlier run in full, in pages. `after`: how many failures were read before. */
export function pageRun<Result extends RunResult>(result: Result, after: number): Result {
  const { output, ...rest } = { ...result, failures: result.failures.slice(after) };
  const page = { ...rest, ...(after === 0 && keepOutput(output, [], maxPageBytes / 2)) } as Result;
  return fillPage(page, maxPageBytes, (count) => {
    const taken = takeFailures(page, count, Number.POSITIVE_INFINITY);
    return count < page.failures.length ? { ...taken, next: readOn(result.run_id, after + count) } : taken;
  });
}

/** With as many failures as fit, and at least one. */
function fillPage<Result extends RunResult>(
  result: Result,
  bytes: number,
  take: (count: number) => Partial<RunResult>,
): Result {
  for (let count = result.failures.length; ; count--) {
    const page = { ...result, ...take(count) };
    if (count <= 1 || byteLength(page) <= bytes) return page;
  }
}

function takeFailures({ failures, omitted_failures = 0 }: RunResult, count: number, length: number) {
  const omitted = omitted_failures + failures.length - count;
  return {
    failures: failures.slice(0, count).map((failure) => ({
      ...failure,
      name: shortenMiddle(failure.name, Math.max(maxNameLength, length)),
      message: shortenMiddle(failure.message, length),
    })),
    ...(omitted > 0 && { omitted_failures: omitted }),
  };
}

/** As many as fit, and at least one. */
function shortenList(texts: readonly string[], length: number): string[] {
  let left = length;
  const end = texts.findIndex((text) => {
    left -= text.length;
    return left < 0;
  });
  if (end === -1) return [...texts];
  return [...texts.slice(0, Math.max(1, end)).map((text) => shortenMiddle(text, length)), "…"];
}

/** Failures with messages say what the output says. */
function keepOutput(output: string | undefined, failures: readonly Failure[], length: number): { output?: string } {
  if (output === undefined || failures.some(({ message }) => message.trim() !== "")) return {};
  const folded = foldFrames(output).trimEnd();
  return { output: folded.length <= length ? folded : `…${folded.slice(1 - length)}` };
}

function readOn(run_id: string, after: number): Action[] {
  const input = { run_id, ...(after > 0 && { after }) };
  return [{ tool: "forge_run_tests", input, why: "to read the rest of this result; nothing is run again" }];
}

function isSame(readable: object, result: RunResult): boolean {
  const text = JSON.stringify(result);
  return Buffer.byteLength(text) <= maxBytes && JSON.stringify(readable) === text;
}
