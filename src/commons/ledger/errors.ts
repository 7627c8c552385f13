import { ForgeError } from "../../kernel/errors.ts";

export function alreadyAnswered(name: string): ForgeError {
  return new ForgeError("CANCELLED", `${name} was already answered, so its change was not made.`, {
    next: ["Call it again if the change is still wanted."],
  });
}

export function changeAlreadyMade(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "This request's change was already made, and was not made again.");
}
