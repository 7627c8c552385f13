import { expect, test } from "vitest";
import { colourStyle, noStyle } from "../../../platform/terminal/style.ts";
import { widthOf } from "../../../platform/terminal/text.ts";
import { type Column, table } from "./table.ts";

type Row = { name: string; size: number; why: string };

const columns: Column<Row>[] = [
  { title: "NAME", cell: ({ name }) => name, shrinks: true },
  { title: "SIZE", align: "right", cell: ({ size }) => String(size) },
  { title: "WHY", cell: ({ why }) => why, paint: () => "red" },
];

const rows: Row[] = [
  { name: "日本", size: 5, why: "because" },
  { name: "plain", size: 1200, why: "x".repeat(100) },
];

test("columns stand under each other, wide characters counted", () => {
  expect(table(columns, rows.slice(0, 1), { width: undefined, style: noStyle })).toBe(
    "NAME  SIZE  WHY\n日本     5  because",
  );
});

test("a pipe gets values whole", () => {
  expect(table(columns, rows, { width: undefined, style: noStyle })).toContain("x".repeat(100));
});

test.each([30, 40, 80])("a terminal of %i columns gets lines that fit", (width) => {
  const lines = table(columns, rows, { width, style: noStyle }).split("\n");
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
  expect(lines[2]).toContain("…");
});

test("a cell is one line and holds no escape sequence of its own", () => {
  const evil = [{ name: "a\nb\x1b[2J", size: 1, why: "" }];
  const text = table(columns, evil, { width: undefined, style: colourStyle });
  expect(text.split("\n")).toHaveLength(2);
  expect(text).not.toContain("\x1b[2J");
});

test("without a header, a line for each row", () => {
  expect(table(columns, rows, { width: undefined, style: noStyle }, { header: false }).split("\n")).toHaveLength(2);
});
