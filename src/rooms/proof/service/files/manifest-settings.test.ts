import { expect, test } from "vitest";
import { hasSameSettings, withSettingsOf } from "./manifest-settings.ts";

const plain = '{"scripts":{"a":"b"}}';

test("settings are compared as programs read them, and what cannot be read may say anything", () => {
  expect(hasSameSettings(plain, '{"scripts":{}}')).toBe(true);
  expect(hasSameSettings(undefined, plain)).toBe(true);
  expect(hasSameSettings("shared.json", "shared.json")).toBe(true);
  for (const text of [
    '{"jest":{}}',
    '\uFEFF{"jest":{}}',
    '{"eslintIgnore":["src"]}',
    '// x\n{"jest":{}}',
    "shared.json",
  ])
    expect(hasSameSettings(plain, text), text).toBe(false);
});

test("what cannot be read is put back as a whole", () => {
  expect(JSON.parse(withSettingsOf('\uFEFF{"scripts":{},"jest":{}}', plain))).toEqual({ scripts: {} });
  expect(withSettingsOf('// x\n{"jest":{}}', plain)).toBe(plain);
});
