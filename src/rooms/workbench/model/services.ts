import type { TestService } from "../../../commons/test-runs/test-service.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import type { Git } from "../../../platform/git/git.ts";
import type { Board } from "../board/service/board.ts";
import type { Executions } from "../executions/executions.ts";
import type { TicketWork } from "../executions/tickets/ticket-work.ts";
import type { WorkGuard } from "../guard/work-guard.ts";
import type { KnownFailures } from "./known-failures.ts";

/** What the tools, resources and commands of the workbench run on. */
export type WorkbenchServices = {
  git: Git;
  board: Board;
  executions: Executions;
  ticketWork: TicketWork;
  guard: Pick<
    WorkGuard,
    | "requireStart"
    | "requireTask"
    | "requireLink"
    | "noteAuthor"
    | "authorOf"
    | "noteImportedBlock"
    | "noteRead"
    | "noteWorkRead"
    | "listFiles"
  >;
  tests: Pick<TestService, "run" | "find" | "findPassed">;
  /** Whether Forge's tools have written in the work tree of a folder since then. */
  hasWritten(root: string, since: number): Promise<boolean>;
  knownFailures: KnownFailures;
  /** Removes what looks like a secret from a text. */
  redactor: Pick<Redactor, "text" | "lines">;
  /** The project's folder. */
  projectRoot: string;
};
