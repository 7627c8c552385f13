import { type Context, createContext, Script } from "node:vm";

const script = new Script("work()");
let context: Context | undefined;

/** Runs work that does not wait for anything; false where it was stopped after that time. What it throws is thrown. */
export function runWithin(ms: number, work: () => void): boolean {
  context ??= createContext({});
  context["work"] = work;
  try {
    script.runInContext(context, { timeout: ms });
    return true;
  } catch (error) {
    // The error is of the context's own making, and not one of our errors.
    if (Object(error).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  } finally {
    context["work"] = undefined;
  }
}
