import type { App } from "../../../commons/cli/app.ts";
import { type Command, defineGroup } from "../../../kernel/definitions/command.ts";
import { checkAdd, checkLook, checkRemove } from "./check.ts";
import { receipt, receiptNote, receiptTrust, receiptVerify } from "./receipt.ts";
import { report } from "./report.ts";
import { teamProof } from "./team-proof.ts";
import { proof, verify } from "./verify.ts";
import { waive } from "./waive.ts";

const check = defineGroup<App>({
  name: "check",
  summary: "Manage the checks of acceptance criteria",
  examples: [['forge check add T-001 AC-1 --test "tests/auth.test.js::signs in"', "By a test."]],
  group: "tickets",
});

/** In the order of the help. */
export const commands: Command<App>[] = [
  verify,
  proof,
  check,
  checkAdd,
  checkRemove,
  checkLook,
  waive,
  receipt,
  receiptVerify,
  receiptTrust,
  receiptNote,
  report,
  teamProof,
];
