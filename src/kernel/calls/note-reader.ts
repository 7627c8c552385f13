import { ForgeError } from "../errors.ts";
import type { Call, TextOrigin } from "./call.ts";
import type { RunningCall } from "./running-call.ts";

/** Notes who reads what others wrote before they get it; also where the work fails, since an error may quote it. */
export async function noteReaderAfter<T>(work: () => Promise<T>, call: RunningCall, from: TextOrigin): Promise<T> {
  try {
    return await work();
  } finally {
    await call.noteUntrusted(from);
    await call.told;
  }
}

/** The same for an error that says whom it quotes. It is not sent where that cannot be noted. */
export async function noteQuoted(error: unknown, call: Call): Promise<unknown> {
  if (!(error instanceof ForgeError) || error.quotes === undefined) return error;
  try {
    await call.noteUntrusted(error.quotes);
    return error;
  } catch (failure) {
    return failure;
  }
}
