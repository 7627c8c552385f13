import { commandFor } from "../../../commons/cli/command-for.ts";
import type { checkForUpdate } from "../tools/check-for-update.ts";

export const updateCheck = commandFor<typeof checkForUpdate>({
  tool: "check_for_update",
  name: "update-check",
  summary: "Check for a newer version of Forge",
  examples: [["forge update-check --json", "The answer for a script; the exit code is 0 either way."]],
  settings: [],
  group: "more",
  options: { registry: { value: "URL" } },
  print({ version, newest, isNewer }, out) {
    out.print(
      isNewer
        ? `Forge ${newest} is available; this is ${version}. Update it the way it was installed.`
        : `Forge ${version} is the newest version.`,
    );
  },
});
