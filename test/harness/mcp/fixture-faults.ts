import { watch } from "node:fs";
import { createServer } from "node:net";
import * as z from "zod";
import { defineTool } from "../../../src/kernel/definitions/tool.ts";
import { ForgeError } from "../../../src/kernel/errors.ts";

/** Planted in errors and results; must never be returned. In two halves, so that secret scanners do not report it. */
export const plantedSecret = `ghp_${"q7Zt".repeat(9)}`;
export const plantedPath = "/srv/secret-place/keys.txt";

const nothing = z.object({});
const done = z.object({ done: z.boolean() });

function faulty(name: string, description: string, run: (signal: AbortSignal) => Promise<void> | void) {
  return defineTool({
    name,
    title: name,
    description,
    effect: "read",
    input: nothing,
    output: done,
    async run(_services, _input, { signal }) {
      await run(signal);
      return { done: true };
    },
  });
}

export const faults = [
  faulty("fail", "Throws an error of its own making.", () => {
    throw new Error(`cannot open ${plantedPath} with ${plantedSecret}`);
  }),
  faulty("fail_clearly", "Throws an error meant to be read, with a secret in it by mistake.", () => {
    throw new ForgeError("NOT_FOUND", `Nothing there for token ${plantedSecret}.`, {
      details: { token: plantedSecret },
      next: [`Do not use ${plantedSecret}.`],
    });
  }),
  faulty("fail_oddly", "Throws something that is no error.", () => {
    throw { toString: null, code: plantedSecret };
  }),
  faulty("fail_later", "Answers, and throws from a timer afterwards.", () => {
    setTimeout(() => {
      throw new Error(`late, with ${plantedSecret}`);
    }, 20);
  }),
  faulty("reject_later", "Answers, and leaves a promise to be rejected.", () => {
    setTimeout(() => void Promise.reject(new Error("late")), 20);
  }),
  faulty(
    "never_end",
    "Ignores its signal and never ends.",
    () => new Promise(() => setInterval(() => undefined, 1000)),
  ),
  faulty("hold_open", "Leaves timers, a watcher and a listening socket behind.", async () => {
    setInterval(() => undefined, 1000);
    watch(process.cwd(), () => undefined);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }),
  faulty("chatter", "Writes where only the protocol may.", () => {
    console.log("a library says hello");
    process.stdout.write("and again\n");
    process.emitWarning("and this is deprecated", "DeprecationWarning");
  }),
  defineTool({
    name: "wrong_output",
    title: "Wrong output",
    description: "Answers with what its schema does not allow.",
    effect: "read",
    input: nothing,
    output: z.object({ count: z.number().max(10) }),
    run: async () => ({ count: 11 }),
  }),
];
