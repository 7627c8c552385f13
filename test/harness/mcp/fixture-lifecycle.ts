/** A process that prints `ready`, then each step of its shutdown. */
import { writeSync } from "node:fs";
import { Lifecycle } from "../../../src/platform/host/lifecycle.ts";

const say = (text: string) => void writeSync(1, `${text}\n`);
const never = () => new Promise<void>(() => undefined);
const lifecycle = new Lifecycle();
const [mode = ""] = process.argv.slice(2);

lifecycle.endOnSignals();
lifecycle.endOnFaults((error) => say(`fault ${error instanceof Error ? error.message : String(error)}`));
lifecycle.signal.addEventListener("abort", () => {
  say("aborted");
  void Promise.resolve().then(() => say("cut off"));
});
lifecycle.onEnd(() => say("first added"));
lifecycle.onEnd(() => {
  say("failing");
  throw new Error("a step failed");
});
lifecycle.onEnd(async () => {
  // Until a later turn: code that does not wait for this step has continued by then.
  await new Promise((resolve) => setImmediate(resolve));
  say("last added");
});
if (mode === "slow") lifecycle.onEnd(never);
setInterval(() => undefined, 1000);
say("ready");

if (mode === "end-twice") {
  void lifecycle.end(3);
  void lifecycle.end(4);
}
if (mode === "throw") {
  setImmediate(() => {
    throw new Error("thrown");
  });
}
if (mode === "reject") void Promise.reject(new Error("rejected"));
if (mode === "throw-while-ending") {
  lifecycle.onEnd(() => {
    setImmediate(() => {
      throw new Error("late");
    });
  });
  void lifecycle.end(0);
}
