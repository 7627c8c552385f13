/** A small shop: real code with real tests, and nothing to install. */
export const sampleFiles: Record<string, string> = {
  "package.json": `{
  "name": "forge-demo",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  ".gitignore": "node_modules/\n",
  "README.md": `# Demo shop

A small project for trying out Forge. Prices are in cents. Run the tests with \`npm test\`.
`,
  "src/cart.js": `/** The sum of a cart, in cents. */
export function totalOf(items) {
  return items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}
`,
  "src/format.js": `/** 1234 is "12.34". */
export function formatPrice(cents) {
  return (cents / 100).toFixed(2);
}
`,
  "test/cart.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { totalOf } from "../src/cart.js";

test("an empty cart costs nothing", () => {
  assert.equal(totalOf([]), 0);
});

test("the total counts every piece", () => {
  assert.equal(totalOf([{ price: 250, quantity: 2 }, { price: 99, quantity: 1 }]), 599);
});
`,
  "test/format.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPrice } from "../src/format.js";

test("prices have two decimals", () => {
  assert.equal(formatPrice(599), "5.99");
});
`,
};

type SampleTicket = { draft: Record<string, unknown>; statuses: string[]; questions?: Record<string, unknown>[] };

/** Tickets in several statuses. The first is the one that the assistant works on. */
export const sampleTickets: SampleTicket[] = [
  {
    draft: {
      title: "Apply vouchers at checkout",
      type: "feature",
      priority: "high",
      problemStatement: "Customers have voucher codes, and the checkout ignores them.",
      solution: "A function that takes a total and a voucher and gives the total to pay.",
      acceptanceCriteria: [
        "A voucher for a percentage lowers the total by that share, rounded to a cent",
        "A voucher for an amount lowers the total by it, but never below zero",
      ],
      fileChanges: [
        { path: "src/voucher.js", action: "create" },
        { path: "test/voucher.test.js", action: "create" },
      ],
    },
    statuses: ["READY"],
  },
  {
    draft: {
      title: "Show prices in the customer's currency",
      type: "feature",
      priority: "medium",
      description: "Prices are formatted without a currency sign.",
      fileChanges: [{ path: "src/format.js", action: "modify" }],
    },
    statuses: ["READY"],
  },
  {
    draft: { title: "Cart forgets its items after a reload", type: "bug", priority: "urgent", assignee: "ada" },
    statuses: ["READY", "CREATED"],
  },
  {
    draft: { title: "Calculate the total of a cart", type: "task", priority: "medium", assignee: "ada" },
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
    { name: "Apply vouchers", dependencies: [] as number[], files: ["src/voucher.js", "test/voucher.test.js"] },
    { name: "Add tax to the total", dependencies: [0], files: ["src/tax.js"] },
    { name: "Print the receipt", dependencies: [0, 1], files: ["src/receipt.js"] },
  ],
};

/** What the assistant writes: first with a mistake that the tests find, then correctly. */
export const voucherCode = {
  wrong: `/** The total to pay with a voucher, in cents. */
export function applyVoucher(total, voucher) {
  if (voucher.percent !== undefined) return Math.round(total * (1 - voucher.percent / 100));
  return total - voucher.amount;
}
`,
  right: {
    old_text: "  return total - voucher.amount;\n",
    new_text: "  return Math.max(0, total - voucher.amount);\n",
  },
  test: `import assert from "node:assert/strict";
import { test } from "node:test";
import { applyVoucher } from "../src/voucher.js";

test("a percentage lowers the total by that share, rounded to a cent", () => {
  assert.equal(applyVoucher(999, { percent: 10 }), 899);
});

test("an amount lowers the total, but never below zero", () => {
  assert.equal(applyVoucher(1000, { amount: 300 }), 700);
  assert.equal(applyVoucher(200, { amount: 300 }), 0);
});
`,
};
