// Runs git commands and nothing else, on the same kind of pipe as Forge: the cost of a call that does only that.
// The lanes run in parallel, the commands of a lane in order.
import { execFile } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const run = promisify(execFile);

async function runLane({ git, cwd, lane }) {
  let bytes = 0;
  for (const args of lane) bytes += (await outputOf(git, args, cwd)).length;
  return bytes;
}

/** `git config --get-regexp` exits with 1 if nothing matches. */
async function outputOf(git, args, cwd) {
  try {
    return (await run(git, args, { cwd, encoding: "buffer", maxBuffer: 1 << 28 })).stdout;
  } catch (error) {
    if (error.code === 1) return error.stdout;
    throw error;
  }
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "git", version: "1" } };
  if (method === "tools/call") {
    const { git, cwd, lanes } = params.arguments;
    result.bytes = await Promise.all(lanes.map((lane) => runLane({ git, cwd, lane })));
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
});
