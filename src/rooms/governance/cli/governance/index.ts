import type { App } from "../../../../commons/cli/app.ts";
import { type Command, defineGroup } from "../../../../kernel/definitions/command.ts";
import { governanceCheck } from "./check.ts";
import { governanceInit, governanceLint, governanceList, governancePush, governanceShow } from "./contracts.ts";
import { governanceEdit } from "./edit.ts";
import { governanceHook, governanceRecord, governanceTrend, governanceWaive, governanceWaivers } from "./values.ts";

const governance = defineGroup<App>({
  name: "governance",
  summary: "Manage and check the project's rules",
  details:
    "Contracts in Forge/Contracts say what the project is and how it is built. Invariants are numbers that must not get " +
    "worse, and boundaries are layers with what is forbidden in them; `forge governance check` checks both.",
  examples: [
    ["forge governance init", "Create the contracts."],
    ["forge governance check --since main", "Check the work tree against the rules of main."],
  ],
  group: "look",
});

export const governanceCommands: Command<App>[] = [
  governance,
  governanceInit,
  governanceList,
  governanceShow,
  governanceEdit,
  governanceLint,
  governanceCheck,
  governanceRecord,
  governanceWaive,
  governanceWaivers,
  governanceTrend,
  governanceHook,
  governancePush,
];
