/** What every format shows of a ticket: the common ground of documents, XML and Markdown. */
export type Outline = {
  title?: string | undefined;
  facts: Facts;
  description?: string | undefined;
  problem?: string | Problem | undefined;
  solution?: string | Solution | undefined;
  criteria?: OutlineCriterion[] | undefined;
  files?: FileLine[] | undefined;
  api?: string | Endpoint[] | undefined;
  dependencies?: string[] | undefined;
  tests?: string | Tests | undefined;
  inScope?: string[] | undefined;
  outOfScope?: string[] | undefined;
  assumptions?: string[] | undefined;
  designRefs?: string[] | undefined;
  /** In XML only, in any shape. */
  visualExpectations?: unknown;
  designTokens?: unknown;
  generationPreferences?: unknown;
};

export type Problem = {
  narrative?: string | undefined;
  whyItMatters?: string | undefined;
  context?: string | undefined;
  assumptions?: string[] | undefined;
  constraints?: string[] | undefined;
};

export type Step = { description?: string | undefined; file?: string | undefined };
export type Solution = { overview?: string | undefined; steps?: Step[] | undefined };

export type OutlineCriterion = {
  id?: string | undefined;
  text?: string | undefined;
  given?: string | undefined;
  when?: string | undefined;
  /** The formats call it `then`; an object with that property would look like a promise. */
  outcome?: string | undefined;
  notes?: string | undefined;
};

export type FileLine = {
  path: string;
  action?: string | undefined;
  notes?: string | undefined;
  layer?: string | undefined;
};

export type Endpoint = {
  method?: string | undefined;
  route?: string | undefined;
  authentication?: string | undefined;
  status?: string | undefined;
  description?: string | undefined;
  requestDto?: string | undefined;
  responseDto?: string | undefined;
};

export type Test = { name?: string | undefined; file?: string | undefined; description?: string | undefined };
export type Tests = {
  summary?: string | undefined;
  unitTests?: Test[] | undefined;
  integrationTests?: Test[] | undefined;
  edgeCases?: Test[] | undefined;
};

export const layers = ["backend", "frontend", "shared", "infrastructure", "documentation"] as const;

/** Short values, and where a document keeps them. The assignee has one of two places, see {@link Homes}. */
export const factPlaces = {
  id: ["id"],
  slug: ["slug"],
  type: ["type"],
  priority: ["priority"],
  status: ["status"],
  qualityScore: ["techSpec", "qualityScore"],
  createdAt: ["createdAt"],
  updatedAt: ["updatedAt"],
  repository: ["repositoryContext", "repositoryFullName"],
  branch: ["repositoryContext", "branchName"],
  language: ["techSpec", "stack", "language"],
  framework: ["techSpec", "stack", "framework"],
  packageManager: ["techSpec", "stack", "packageManager"],
} as const satisfies Record<string, readonly string[]>;

export type FactName = keyof typeof factPlaces | "assignee";
export type Facts = { [name in FactName]?: string | undefined };
