import { closeSync, constants, openSync } from "node:fs";
import { isatty, ReadStream } from "node:tty";

/** Where the user's own terminal is, whatever stdin is connected to. */
const terminalFile = process.platform === "win32" ? "\\\\.\\CONIN$" : "/dev/tty";

export type ConfirmTerminal = { stderr: Pick<NodeJS.WriteStream, "isTTY" | "write"> };

/**
 * Asks a yes-or-no question; undefined if there is no terminal. The answer is read from the terminal itself and not from
 * stdin, which a program can write to. Only a plain yes is one: the end of the input, Ctrl+C and anything else is a no.
 */
export async function confirm(
  question: string,
  { stderr }: ConfirmTerminal,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  // Without it nobody sees the question, though a terminal may be there: a command that an assistant runs has none.
  if (!stderr.isTTY) return undefined;
  const descriptor = openTerminal();
  if (descriptor === undefined) return undefined;
  const { createInterface } = await import("node:readline");
  const input = new ReadStream(descriptor);
  // Not readline's own terminal: that would take Ctrl+C for itself.
  const lines = createInterface({ input, terminal: false, signal });
  try {
    stderr.write(`${question} [y/N] `);
    const answer = await new Promise<string>((resolve) => {
      input.once("error", () => resolve(""));
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
    });
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
    input.destroy();
  }
}

function openTerminal(): number | undefined {
  try {
    const descriptor = openSync(terminalFile, constants.O_RDWR);
    if (isatty(descriptor)) return descriptor;
    closeSync(descriptor);
    return undefined;
  } catch {
    return undefined;
  }
}
