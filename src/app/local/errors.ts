import { ForgeError } from "../../kernel/errors.ts";

/** Until a person has looked at it, nothing of it is read. */
export function unconfirmedStore(file: string, isForeign: boolean): ForgeError {
  const why = isForeign
    ? "it came with the repository or from another user"
    : "it is not known whether it is yours: no earlier use of this project is recorded in your home folder";
  return new ForgeError("PERMISSION_DENIED", `${file} was not opened, because ${why}. Nothing was read or changed.`, {
    details: { file, foreign: isForeign },
    next: [
      { command: "list", why: "in a terminal: it asks you once whether to use the file" },
      "To start with an empty store instead, move the file away.",
    ],
  });
}

/** Opening the store would replace parts of it by what is in there. */
export function foreignLog(file: string): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    `${file} came with the repository. The store was not opened, because it would be overwritten with what is in that file.`,
    { details: { file }, next: ["Remove the file, also from git, and try again."] },
  );
}

export function oversizedStore(file: string, column: string, max: number): ForgeError {
  return new ForgeError(
    "STORE_ERROR",
    `${file} was not opened: ${column} holds a value of more than ${max} bytes, which Forge never writes.`,
    { details: { file, column, max }, next: ["Move the file away. Forge then creates its own."] },
  );
}

/** A change over REST by someone else than the user: an assistant, or a program that got its token. */
export function onlyFromPage(hasTokens: boolean): ForgeError {
  return new ForgeError(
    "PERMISSION_DENIED",
    "Over REST, this server accepts changes only from the board in your browser.",
    {
      next: [
        "Assistants and other programs make changes through MCP, at /mcp of this server.",
        hasTokens
          ? { command: "up", why: "to get the link that opens the board" }
          : "To make changes on the board, start the server without --no-token.",
      ],
    },
  );
}
