import { ForgeError } from "../../../kernel/errors.ts";

export function folderNotEmpty(folder: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${folder} is not empty, or a link, so the demo is not created there.`, {
    details: { folder },
    next: ["Name another folder, or delete this one first if it is an earlier demo."],
  });
}

export function demoNeedsAnswer(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The demo creates a folder, and there is no terminal to ask on.", {
    next: [{ command: "demo --yes", why: "to create it without being asked" }],
  });
}
