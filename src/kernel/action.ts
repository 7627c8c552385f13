/**
 * Something the reader can do next, as data: each host words it for its reader. A tool is called over MCP, is a command on a
 * command line and a request over HTTP; a command is something only a person does.
 */
export type Action =
  | string
  | {
      tool: string;
      /** The reader fills in values in capitals (`ID`). */
      input?: Record<string, unknown> | undefined;
      /** Goes on after the call: `to see all tickets`. */
      why?: string | undefined;
    }
  | {
      /** Without `forge`: `trust`, `login --url URL`. */
      command: string;
      why?: string | undefined;
    };

/** How one host words an action. */
export type ActionFormatter = (action: Action) => string;

/** A sentence of a call and its reason: `Run forge list` and `to see all tickets`. */
export function sentence(call: string, why: string | undefined): string {
  return why === undefined ? `${call}.` : `${call} ${why}.`;
}
