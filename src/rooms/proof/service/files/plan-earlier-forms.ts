import type { Check } from "../../../../commons/evidence/checks.ts";
import type { Ran } from "../check-runner.ts";
import { isCodeOrSetting } from "./list-support.ts";
import { isManifest } from "./manifest-settings.ts";
import { isIgnoreFile, isSetting } from "./runner-settings.ts";

/** Checks to be run once more, with files as they were before the work. */
export type EarlierForm = {
  checks: Check[];
  restored: string[];
  removed: string[];
  /** Whether what a check showed in this form speaks against it. One that cannot be loaded in it shows nothing. */
  isAgainst(ran: Ran | undefined): boolean;
};

type Work = {
  changed: ReadonlySet<string>;
  /** Of what changed, what was there before. */
  before: ReadonlySet<string>;
  support: ReadonlyMap<string, readonly string[]>;
};

/**
 * The checks whose files, or what they use, the work changed. A test that the work wrote has no earlier form: with the settings of
 * before, or without what was added for it, it fails for honest reasons, so only the helpers that it shares with others are put back.
 */
export function planEarlierForms(checks: readonly Check[], { changed, before, support }: Work): EarlierForm[] {
  const ownOf = ({ how }: Check) => (how.type === "test" ? [how.file] : []);
  const isNew = (check: Check) => ownOf(check).some((file) => changed.has(file) && !before.has(file));
  const partsOf = (check: Check) =>
    [...ownOf(check), ...(support.get(check.id) ?? [])].filter((file) => changed.has(file));
  const written = checks.filter(isNew);
  const listShared = (check: Check) =>
    partsOf(check).filter((file) => before.has(file) && !isSetting(file) && !isManifest(file));
  // Without what it added, a command that runs tests may have none, but a test of before needs nothing that came later. And no
  // linter needs to be told what to leave out.
  const isSuspect = (check: Check) =>
    partsOf(check).some(
      (file) => before.has(file) || isIgnoreFile(file) || (check.how.type === "test" && isCodeOrSetting(file)),
    );
  const older = checks.filter((check) => !isNew(check) && isSuspect(check));
  const own = new Set(checks.flatMap(ownOf));
  const parts = older.flatMap(partsOf);
  const forms: EarlierForm[] = [
    {
      checks: written.filter((check) => listShared(check).length > 0),
      restored: written.flatMap(listShared),
      removed: [],
      isAgainst: (ran) => ran?.outcome === "failed" && !ran.isError && !ran.isUncollected,
    },
    {
      checks: older,
      restored: parts.filter((file) => before.has(file)),
      removed: parts.filter((file) => !before.has(file) && !own.has(file)),
      isAgainst: (ran) => ran?.outcome === "failed" || (ran?.outcome === "error" && !ran.isUncollected),
    },
  ];
  return forms.filter((form) => form.checks.length > 0);
}
