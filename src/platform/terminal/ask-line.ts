type Terminal = { stdin: NodeJS.ReadStream; stderr: NodeJS.WriteStream };

export type AskLine = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/** Asks the user at the terminal for a line; undefined without a terminal. */
export function makeLineAsker({ stdin, stderr }: Terminal): AskLine | undefined {
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  return async (question, signal) => {
    const { createInterface } = await import("node:readline");
    // Not readline's own terminal: that would take Ctrl+C for itself.
    const lines = createInterface({ input: stdin, output: stderr, terminal: false, signal });
    try {
      stderr.write(question);
      return await new Promise((resolve) => {
        lines.once("line", resolve);
        lines.once("close", () => resolve(undefined));
      });
    } finally {
      lines.close();
      stdin.pause();
    }
  };
}
