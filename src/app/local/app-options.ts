import { isatty } from "node:tty";
import type { ForgeError } from "../../kernel/errors.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import type { Lifecycle } from "../../platform/host/lifecycle.ts";
import type { RoomSet } from "../room-set.ts";
import type { Settings } from "../settings/settings-table.ts";

/** What a start has, and what each part of the program is made of. */
export type AppOptions = {
  settings: Settings;
  settingsProblems?: readonly ForgeError[];
  lifecycle: Lifecycle;
  redactor: Redactor;
  /** Default: the rooms that this program was built with. */
  roomSet?: RoomSet;
  /** Whether a person gives the commands; default: if stdin is a terminal. */
  atKeyboard?: boolean;
};

/** Asks the system: `process.stdin`, once touched, opens stdin, which takes time and changes how others can read it. */
export function isTerminal(stream: "stdin" | "stdout"): boolean {
  return isatty(stream === "stdin" ? 0 : 1);
}
