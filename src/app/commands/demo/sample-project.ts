/** A small shop, commit by commit: real code with real tests, and nothing to install. */
export type SampleCommit = { message: string; files: Record<string, string> };

export const sampleCommits: SampleCommit[] = [
  {
    message: "A cart with a total",
    files: {
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
    },
  },
  {
    message: "Prices with two decimals",
    files: {
      "src/format.js": `/** 1234 is "12.34". */
export function formatPrice(cents) {
  return (cents / 100).toFixed(2);
}
`,
      "src/checkout.js": `/** What a customer pays, in cents. TODO: vouchers are ignored. */
export function amountDue(total, _voucher) {
  return total;
}
`,
      "test/format.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPrice } from "../src/format.js";

test("prices have two decimals", () => {
  assert.equal(formatPrice(599), "5.99");
});
`,
    },
  },
];

/** What the assistant writes: first with a mistake that the tests find, then correctly. */
export const voucherCode = {
  wrong: `/** What a customer pays, in cents. */
export function amountDue(total, voucher) {
  if (!voucher) return total;
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
import { amountDue } from "../src/checkout.js";

test("a percentage lowers the total by that share", () => {
  assert.equal(amountDue(999, { percent: 10 }), 899);
});

test("an amount lowers the total, but never below zero", () => {
  assert.equal(amountDue(999, { amount: 300 }), 699);
  assert.equal(amountDue(999, { amount: 2000 }), 0);
});
`,
};

/** Which test shows which criterion of the first ticket. */
export const voucherChecks = [
  { criterion: "AC-1", test: "test/checkout.test.js::a percentage lowers the total by that share" },
  { criterion: "AC-2", test: "test/checkout.test.js::an amount lowers the total, but never below zero" },
];
