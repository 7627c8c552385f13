import { ForgeError } from "../../../kernel/errors.ts";

export function noEditor(name: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Editing needs a terminal to open an editor on.", {
    next: [`Edit the file in Forge/Contracts with any editor, or run \`forge governance edit ${name}\` in a terminal.`],
  });
}

export function wrongReport(given: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `--report needs a file, or SIDE=FILE with SIDE backend or frontend: "${given.slice(0, 100)}".`,
    {
      next: ["Write it like this: `--report frontend=web/junit.xml`."],
    },
  );
}
