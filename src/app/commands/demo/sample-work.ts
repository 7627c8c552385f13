type SampleTicket = {
  draft: Record<string, unknown>;
  /** Earlier tickets of the list that have to be done first. */
  needs?: number[];
  statuses: string[];
  questions?: Record<string, unknown>[];
  comment?: string;
};

/** Tickets in several statuses. The first is the one that the assistant works on. */
export const sampleTickets: SampleTicket[] = [
  {
    draft: {
      title: "Apply vouchers at checkout",
      type: "feature",
      priority: "high",
      labels: ["checkout"],
      problemStatement: "Customers have voucher codes, and the checkout ignores them.",
      solution: "Subtract the voucher from the amount due: a percentage, or an amount in cents.",
      acceptanceCriteria: [
        "A percentage voucher lowers the total by that percentage, rounded to a cent",
        "An amount voucher lowers the total by that amount, but not below zero",
      ],
      fileChanges: [
        { path: "src/checkout.js", action: "modify" },
        { path: "test/checkout.test.js", action: "create" },
      ],
    },
    statuses: ["READY"],
    comment: "Codes come with the newsletter on Monday, so this is first.",
  },
  {
    draft: {
      title: "Print the voucher on the receipt",
      type: "feature",
      priority: "medium",
      labels: ["checkout", "receipt"],
      description: "The receipt shows how much a voucher took off.",
    },
    needs: [0],
    statuses: ["READY"],
  },
  {
    draft: {
      title: "Show prices in the customer's currency",
      type: "feature",
      priority: "medium",
      description: "Prices are formatted without a currency sign. The list of signs: https://www.unicode.org/charts/",
      fileChanges: [{ path: "src/format.js", action: "modify" }],
    },
    statuses: ["READY"],
  },
  {
    draft: { title: "Cart forgets its items after a reload", type: "bug", priority: "urgent", assignee: "ada" },
    statuses: ["READY", "CREATED"],
  },
  {
    draft: {
      title: "Calculate the total of a cart",
      type: "task",
      priority: "medium",
      assignee: "ada",
      acceptanceCriteria: ["The total counts every piece"],
    },
    statuses: ["READY", "CREATED", "COMPLETE"],
  },
  {
    draft: { title: "Ship to countries outside the EU", type: "feature", priority: "low" },
    statuses: [],
    questions: [
      { question: "Which countries come first?", category: "scope", blocking: true },
      { question: "Who pays customs?", category: "intent" },
    ],
  },
  { draft: { title: "Write down how refunds work", type: "task", priority: "low" }, statuses: [] },
];

/** A part of the shop, its tasks and their order. */
export const sampleBlock = {
  id: "checkout",
  name: "Checkout",
  description: "From the cart to the payment.",
  tasks: [
    { name: "Apply vouchers", dependencies: [] as number[], files: ["src/checkout.js", "test/checkout.test.js"] },
    { name: "Add tax to the total", dependencies: [0], files: ["src/tax.js"] },
    { name: "Print the receipt", dependencies: [0, 1], files: ["src/receipt.js"] },
  ],
};

export const sampleMemories = [
  {
    type: "decisions",
    agent: "architect",
    text: "Prices are integers, in cents, so that sums are exact. Only the formatter divides.",
    tags: ["prices"],
  },
  {
    type: "agent-learnings",
    agent: "dev",
    text: "Round a discount once, on the total. Rounding every line was a cent off.",
    tags: ["prices", "rounding"],
  },
  {
    type: "shared-context",
    agent: "pm",
    text: "Vouchers go out with the newsletter, every Monday.",
    tags: ["checkout"],
  },
];

/** Mistakes of the past, and how often they were made. */
export const sampleFailures = [
  {
    times: 2,
    failure: {
      title: "Rounded every line instead of the total",
      category: "WRONG-ASSUMPTION",
      severity: "important",
      root_cause: "The test had a cart with one line",
      lesson: "Test discounts with several lines",
      rule: "Round once, on the total",
    },
  },
  {
    times: 1,
    failure: {
      title: "Said done without running the tests",
      category: "PROCESS-SKIP",
      severity: "critical",
      lesson: "Run the tests before completing a ticket",
    },
  },
];
