import type { Transaction } from "kysely";
import type { CallRecord } from "../../../kernel/calls/call.ts";
import type { Recorder } from "../../../kernel/calls/invoke.ts";
import type { Ledger } from "../ledger.ts";
import { type LedgerEntry, type LedgerFilter, teamMark } from "../model.ts";
import { entriesBetweenPrunings } from "../upkeep.ts";

/** One team's part of a server's ledger: it records for the team, and shows nothing else. */
export class TeamLedger implements Recorder {
  readonly #ledger: Ledger;
  readonly #team: string;
  /** Entries since the team's number was last looked at; the first one has it looked at. */
  #written = entriesBetweenPrunings;

  constructor(ledger: Ledger, team: string) {
    this.#ledger = ledger;
    this.#team = team;
  }

  open(record: CallRecord): Promise<void> {
    return this.#ledger.open(this.#addTeam(record));
  }

  close(record: CallRecord): Promise<void> {
    return this.#ledger.close(this.#addTeam(record));
  }

  commit<Schema>(tx: Transaction<Schema>, record: CallRecord): Promise<void> {
    return this.#ledger.commit(tx, this.#addTeam(record));
  }

  take(records: readonly CallRecord[]): Promise<void> {
    return this.#ledger.take(records.map((record) => this.#addTeam(record)));
  }

  latest(filter: LedgerFilter = {}): Promise<LedgerEntry[]> {
    return this.#ledger.latest({ ...filter, team: this.#team });
  }

  watch(changed: () => void, interesting: (entry: LedgerEntry) => boolean): () => void {
    const mark = teamMark(this.#team);
    return this.#ledger.watch(changed, (entry) => entry.about.includes(mark) && interesting(entry));
  }

  /** First, so that it is there however many things a call is about: an entry keeps only so many. */
  #addTeam(record: CallRecord): CallRecord {
    if (++this.#written > entriesBetweenPrunings) {
      this.#written = 0;
      this.#ledger.limitTeam(this.#team);
    }
    const mark = teamMark(this.#team);
    // What a caller names may look like another team's mark.
    record.about = [mark, ...record.about.filter((item) => !item.startsWith("team:"))];
    return record;
  }
}

const maxTeams = 100;

/** The ledger of each team. Those of teams that were not active recently are created again when needed. */
export class TeamLedgers {
  readonly #ledger: Ledger;
  readonly #ofTeams = new Map<string, TeamLedger>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  of(team: string): TeamLedger {
    const known = this.#ofTeams.get(team);
    if (known && this.#ofTeams.size < maxTeams) return known;
    const ledger = known ?? new TeamLedger(this.#ledger, team);
    // Used last, it is the last to go.
    this.#ofTeams.delete(team);
    this.#ofTeams.set(team, ledger);
    const [oldest] = this.#ofTeams.size > maxTeams ? this.#ofTeams.keys() : [];
    if (oldest !== undefined) this.#ofTeams.delete(oldest);
    return ledger;
  }
}
