/** Where protocol messages go. */
export type ProtocolOutput = {
  /** False where the reader is slow: wait for `onDrain`. */
  write(text: string): boolean;
  onDrain(listener: () => void): void;
  onError(listener: () => void): void;
  /** Resolves once all is handed to the system, or the reader is gone. */
  flush(): Promise<void>;
};

/**
 * Uses stdout for the protocol alone. Anything else that writes to it from now on (a library's `console.log`, a warning) goes to
 * stderr, where it cannot break a client.
 */
export function claimStdout(): ProtocolOutput {
  const stdout = process.stdout;
  const write = stdout.write.bind(stdout);
  stdout.write = process.stderr.write.bind(process.stderr) as typeof stdout.write;
  return {
    write: (text) => write(text),
    onDrain: (listener) => void stdout.on("drain", listener),
    onError: (listener) => void stdout.on("error", listener),
    flush: () => new Promise((resolve) => void write("", () => resolve())),
  };
}
