import { isServerAway } from "../../../commons/remote/offline/copies.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { nothingQueued } from "./errors.ts";

/** If the server cannot be reached, says that nothing was changed, unless the error says what became of the change. */
export async function withOutcome<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isServerAway(error) || !(error instanceof ForgeError) || error.details?.["outcome"] !== undefined) throw error;
    throw nothingQueued(error);
  }
}
