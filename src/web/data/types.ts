/** What the server answers, as far as the board uses it. */

export type Status = string;

export type Column = {
  id: string;
  title: string;
  statuses: readonly Status[];
  drop?: Status;
  folded?: true;
};

export type TeamFacts = { id: string; name: string; role: string; canWrite: boolean };

type Toolset = { name: string; title: string; served: boolean; reason: string; tools: number; tokens: number };

/** What the page starts with. */
export type StartFacts = {
  place: "project" | "team";
  version: string;
  project?: { name: string; path: string };
  mcpUrl?: string;
  toolsets?: Toolset[];
  user: { name: string; email?: string };
  teams?: TeamFacts[];
  csrf?: string;
  canWrite?: boolean;
  /** Where the tickets are, if not here. */
  ticketsAt?: string;
  seq: number;
  columns: Column[];
  statusNames: Record<Status, string>;
  moves: Record<Status, Status[]>;
};

type Claim = { holder: string; until: string };

export type TicketSummary = {
  id: string;
  title: string;
  status: Status;
  type?: string;
  priority?: string;
  assignedTo?: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
  claim?: Claim;
  labels?: string[];
  /** Ids of tickets that have to be done first. */
  dependsOn?: string[];
  /** Completed without proof of all its criteria. */
  unproven?: true;
};

type Criterion = { id: string; text: string; given?: string; when?: string; then?: string; notes?: string };

export type Question = {
  id: string;
  question: string;
  category?: string;
  blocking?: boolean;
  answer?: string;
  askedBy?: string;
  answeredBy?: string;
  dismissed?: string;
  dismissedBy?: string;
};

export type HistoryEntry = { at: string; by: string; agent?: string; kind: string; details: Record<string, unknown> };

export type WorkRecord = {
  execution: string;
  status: string;
  at: string;
  by: string;
  agent?: string;
  branch?: string;
  commit?: string;
  files?: string[];
  tests?: { status: string; passed: number; failed: number };
};

export type TicketView = Omit<TicketSummary, "assignedTo" | "labels" | "dependsOn"> & {
  assignee?: string;
  createdBy?: string;
  updatedBy?: string;
  previousStatus?: Status;
  description?: string;
  problemStatement?: string;
  solution?: string;
  apiChanges?: string;
  testPlan?: string;
  criteria: Criterion[];
  fileChanges: { path: string; action: string; notes?: string }[];
  assumptions: string[];
  inScope: string[];
  outOfScope: string[];
  designRefs: string[];
  questions: Question[];
  changeRecord?: Record<string, unknown>;
  branch?: string;
  labels: string[];
  dependsOn: string[];
  /** Those of them that are not done. */
  blockedBy?: string[];
  records?: {
    comments?: { id: string; at: string; by: string; text: string }[];
    work?: WorkRecord[];
    verifications?: unknown[];
  };
  history: HistoryEntry[];
};

/** An entry of the ledger. */
export type LedgerEntry = {
  seq: number;
  id: string;
  at: string;
  kind: string;
  name: string;
  effect: string;
  principal: string;
  /** The member's name, on a team's server. */
  user?: string;
  agent?: string;
  about: string[];
  outcome: "ok" | "error" | "cancelled" | "running" | string;
  code?: string;
  durationMs: number;
};

export type Execution = {
  execution_id: string;
  block_id: string;
  task_id: string;
  task_name: string;
  status: string;
  stage: string;
  branch?: string;
  base_branch?: string;
  base_commit: string;
  holder?: string;
  started_at: string;
  ended_at?: string;
  commit_hash?: string;
};

type ExecutionEvent = { seq: number; at: string; kind: string; message: string };

export type ExecutionRecord = Execution & {
  timeline: ExecutionEvent[];
  files: { path: string; action: string; lines_added: number; lines_removed: number; via: string }[];
  tests: {
    run_id: string;
    at: string;
    status: string;
    total_tests: number;
    passed: number;
    failed: number;
    skipped: number;
    duration: string;
  }[];
  issues: { type: string; file?: string; line?: number; message: string }[];
};

export type TaskSummary = {
  id: string;
  name: string;
  block_id: string;
  status: string;
  dependencies: string[];
  ready?: boolean;
  waits_for?: string[];
};
