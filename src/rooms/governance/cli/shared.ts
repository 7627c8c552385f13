import type { Run } from "../../../commons/cli/command-for.ts";
import { texts } from "../../../commons/cli/json-fields.ts";
import { wrongReport } from "./errors.ts";

/** What all commands of governance have in common. */
export const commandFacts = {
  settings: [
    "project",
    "databaseUrl",
    "ledgerDays",
    "apiUrl",
    "token",
    "governanceLocal",
    "governanceUrl",
    "governanceRoot",
    "governanceKey",
  ],
  group: "look",
} as const;

export const reportOption = {
  flag: "report",
  value: "FILE",
  path: "file",
  help: "A JUnit XML report of the tests; frontend=FILE for the frontend's. May be repeated.",
} as const;

/** Reads the reports that were named, for tools that take them as texts. */
export async function readReports(given: Record<string, unknown>, { app, out }: Pick<Run, "app" | "out">) {
  const reports = await Promise.all(
    texts(given["reports"]).map(async (word) => {
      const [, side = "backend", file = ""] = /^(?:(backend|frontend)=)?(.+)$/.exec(word) ?? [];
      if (file === "") throw wrongReport(word);
      return `${side} ${file}\n${await app.files.read(file, out.signal)}`;
    }),
  );
  return { ...given, ...(reports.length > 0 && { reports }) };
}
