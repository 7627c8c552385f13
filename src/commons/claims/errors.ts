import { ForgeError } from "../../kernel/errors.ts";

export function workerNameNeeded(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A claim on this connection needs the name of a worker.", {
    next: [
      "Choose a name for the worker (`worker`, or --worker on a command line), and keep it for as long as you work on it.",
    ],
  });
}
