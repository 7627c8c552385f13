import { ForgeError } from "../../kernel/errors.ts";

export function workerNameNeeded(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A claim on this connection needs the name of a worker.", {
    next: ["Give `worker` a name, and use the same name for as long as you work on it."],
  });
}
