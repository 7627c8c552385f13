import { commandFor } from "../../../commons/cli/command-for.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { forgeBindCheck } from "../tools/forge-bind-check.ts";
import type { recordLook } from "../tools/record-look.ts";
import type { unbindCheck } from "../tools/unbind-check.ts";
import { commandFacts, confirmAsPerson, ticketArgument } from "./shared.ts";

export const checkAdd = commandFor<typeof forgeBindCheck>({
  ...commandFacts,
  tool: "forge_bind_check",
  name: "check add",
  summary: "Bind a check to an acceptance criterion",
  details:
    "The check is a test, a command, a file, a number with a limit, an invariant, or something that a person looks at.",
  examples: [
    ['forge check add T-001 AC-1 --test "tests/auth.test.js::signs in"', "By a test."],
    ['forge check add T-001 AC-2 --command "npm run lint"', "By a command that must exit with 0."],
    ['forge check add T-001 AC-3 --file README.md --pattern "## Sign in"', "By a text in a file."],
    ['forge check add T-001 AC-4 --command ./bench --pattern "p95 ([0-9]+)" --max 20', "By a number in its output."],
    ["forge check add T-001 AC-5 --invariant page_count", "By an invariant of the project."],
    ['forge check add T-001 AC-6 --look "The button is on the left."', "By a person who looks at it."],
  ],
  arguments: [ticketArgument, { field: "criterion", required: true, help: "Its id, such as AC-1." }],
  options: {
    test: { value: "FILE::NAME" },
    file: { value: "PATH" },
    pattern: { value: "RE2" },
    max: { value: "N", help: "Highest number that passes." },
    min: { value: "N", help: "Lowest number that passes." },
    invariant: { value: "NAME" },
    look: { value: "TEXT" },
    expect_green: { flag: "expect-green" },
    command: false,
  },
  own: {
    command: {
      type: "string",
      field: "command",
      value: "WORDS",
      help: "Command that must exit with 0; its words, without a shell.",
    },
  },
  toInput: ({ ...given }, { options }) => ({
    ...(given as { ticketId: string; criterion: string }),
    ...(typeof options["command"] === "string" && { command: options["command"].split(/\s+/).filter(Boolean) }),
  }),
  print: ({ ticketId, check, criterion }, out) =>
    out.print(`Bound ${plain(check)} to ${plain(criterion)} of ${plain(ticketId)}.`),
});

export const checkRemove = commandFor<typeof unbindCheck>({
  ...commandFacts,
  tool: "unbind_check",
  name: "check remove",
  summary: "Remove a check",
  examples: [["forge check remove T-001 C-2", "Remove one."]],
  arguments: [ticketArgument, { field: "check", required: true, help: "Its id, such as C-1." }],
  async toInput(given, { app, out, positionals: [id = "", check = ""] }) {
    await confirmAsPerson(app, `Remove ${check} from ${id}?`, out);
    return given as Parameters<typeof unbindCheck.run>[1];
  },
  print: ({ ticketId }, out) => out.print(`Removed the check from ${plain(ticketId)}.`),
});

export const checkLook = commandFor<typeof recordLook>({
  ...commandFacts,
  tool: "record_look",
  name: "check look",
  summary: "Record what you saw",
  examples: [
    ['forge check look T-001 C-5 "The button is on the left."', "Record that it looks right."],
    ['forge check look T-001 C-5 "It is on the right." --failed', "It is not."],
  ],
  arguments: [
    ticketArgument,
    { field: "check", required: true, help: "Its id, such as C-1." },
    { field: "saw", required: true, help: "What you saw." },
  ],
  async toInput(given, { app, out, positionals: [id = "", check = ""] }) {
    await confirmAsPerson(app, `Have you looked at what ${check} of ${id} says?`, out);
    return given as Parameters<typeof recordLook.run>[1];
  },
  print: ({ ticketId, passed }, out) => out.print(`Recorded on ${plain(ticketId)}: ${passed ? "passed" : "failed"}.`),
});
