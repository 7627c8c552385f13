import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Lock = { packages: Record<string, { engines?: { node?: string } | string[] }> };

const oldest = [20, 19] as const;

/** Whether a range of versions has the oldest Node that Forge runs on: enough of the syntax for what packages declare. */
function hasOldest(range: string): boolean {
  return range.split("||").some((part) =>
    part
      .trim()
      .replace(/([<>=^~])\s+/g, "$1")
      .split(/\s+/)
      .every((comparator) => {
        const [, operator = "", major = "*", minor = "0"] =
          /^([<>=^~]*)v?(\d+|\*)(?:\.(\d+|x))?/.exec(comparator) ?? [];
        if (major === "*") return true;
        const order = oldest[0] - Number(major) || oldest[1] - (Number(minor) || 0);
        if (operator === ">=" || operator === ">") return order >= 0;
        if (operator.startsWith("<")) return order < 0;
        return Number(major) === oldest[0] && order >= 0;
      }),
  );
}

test("npm ci on the oldest supported Node has no package to warn about", () => {
  expect(hasOldest("^18.0.0 || >=20.17")).toBe(true);
  expect(hasOldest(">=22.12.0")).toBe(false);
  expect(hasOldest("^20.20.0 || >=22")).toBe(false);
  const lock: Lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const refusing = Object.entries(lock.packages).flatMap(([name, { engines }]) => {
    const range = Array.isArray(engines) ? undefined : engines?.node;
    return range === undefined || hasOldest(range) ? [] : [`${name} needs Node ${range}`];
  });
  expect(refusing).toEqual([]);
});
