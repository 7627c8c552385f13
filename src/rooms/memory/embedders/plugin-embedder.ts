import { isAbsolute } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { LineProcess } from "../../../platform/exec/long-lived/line-process.ts";
import { isFolder } from "../../../platform/state/project.ts";
import type { Embedder } from "./embedder.ts";
import { checkVectors, wrongVectors } from "./vector-check.ts";

const timeoutMs = 60_000;

/**
 * The child's program: loads the runtime that is installed in the model's folder, and never downloads anything. What it needs of
 * memory is gone with it.
 */
const program = `
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";
const folder = process.cwd();
const runtime = createRequire(folder + "/package.json").resolve("@huggingface/transformers");
const { pipeline, env } = await import(pathToFileURL(runtime));
env.allowRemoteModels = false;
env.localModelPath = dirname(folder);
const extract = await pipeline("feature-extraction", basename(folder));
for await (const line of createInterface({ input: process.stdin })) {
  try {
    const made = await extract(JSON.parse(line), { pooling: "mean", normalize: true });
    process.stdout.write(JSON.stringify(made.tolist()) + "\\n");
  } catch (error) {
    process.stdout.write(JSON.stringify({ error: String(error.message).slice(0, 200) }) + "\\n");
  }
}`;

/** A local ONNX model, in a process of its own. The folder is the user's own setting, and has the runtime installed in it. */
export function createPluginEmbedder(folder: string, node = process.execPath): Embedder {
  if (!isAbsolute(folder) || !isFolder(folder)) throw notAModel(folder);
  let child: LineProcess | undefined;
  return {
    name: `onnx:${folder}`,
    async embed(texts, signal) {
      if (!child || child.isEnded) child = new LineProcess(node, ["--input-type=module", "--eval", program], folder);
      const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
      let answer: string;
      try {
        answer = await child.ask(JSON.stringify(texts), limit);
      } catch (error) {
        signal?.throwIfAborted();
        throw wrongVectors(folder, error instanceof Error ? error.message : "it does not answer");
      }
      return checkVectors(folder, parseAnswer(answer, folder), texts.length);
    },
    stop: () => child?.stop(),
  };
}

function parseAnswer(answer: string, folder: string): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer);
  } catch {
    throw wrongVectors(folder, "its output is not JSON");
  }
  if (Array.isArray(parsed)) return parsed;
  throw wrongVectors(folder, "it could not embed the texts");
}

function notAModel(folder: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `FORGE_EMBEDDINGS_MODEL is "${folder.slice(0, 200)}", which is not a folder.`, {
    details: { folder: folder.slice(0, 200) },
    next: [
      "Give the absolute path of an ONNX model's folder with @huggingface/transformers installed in it.",
      "For a model of an API, set FORGE_EMBEDDINGS_URL as well.",
    ],
  });
}
