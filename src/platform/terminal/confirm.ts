export type ConfirmTerminal = { stdin: NodeJS.ReadStream; stderr: NodeJS.WriteStream };

/**
 * Asks a yes-or-no question; undefined if there is no terminal. Only a plain yes is one: the end of the input, Ctrl+C and
 * anything else is a no.
 */
export async function confirm(
  question: string,
  { stdin, stderr }: ConfirmTerminal,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const { createInterface } = await import("node:readline");
  // Not readline's own terminal: that would take Ctrl+C for itself.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false, signal });
  try {
    stderr.write(`${question} [y/N] `);
    const answer = await new Promise<string>((resolve) => {
      lines.once("line", resolve);
      lines.once("close", () => resolve(""));
    });
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
    stdin.pause();
  }
}
