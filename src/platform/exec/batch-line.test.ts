import { describe, expect, it } from "vitest";
import { batchLine } from "./batch-line.ts";

describe("batchLine", () => {
  it("quotes the file and every argument, and the whole for cmd.exe /s", () => {
    expect(batchLine("C:\\npm\\claude.cmd", ["a b", "x & del y"])).toBe('""C:\\npm\\claude.cmd" "a b" "x & del y""');
  });

  it("doubles backslashes that would escape the closing quote", () => {
    expect(batchLine("e.cmd", ["C:\\temp\\\\", "a\\b"])).toBe('""e.cmd" "C:\\temp\\\\\\\\" "a\\b""');
  });

  it.each(['a"b', "%PATH%", "a\nb", "a\rb", "a\0b"])("refuses %j, which cmd.exe would obey", (argument) => {
    expect(() => batchLine("e.cmd", [argument])).toThrow("cannot be passed to a batch file");
  });
});
