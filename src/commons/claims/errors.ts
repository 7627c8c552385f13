import { ForgeError } from "../../kernel/errors.ts";

export function namelessWorker(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "A claim on this connection needs the name of a worker.", {
    next: ["Give `worker` a name that stays yours while you work, and the same one each time."],
  });
}
