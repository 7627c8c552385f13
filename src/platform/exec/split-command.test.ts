import { describe, expect, it } from "vitest";
import { splitCommand } from "./split-command.ts";

describe("commandWords", () => {
  it.each([
    ["vi", ["vi"]],
    ["code --wait", ["code", "--wait"]],
    ["  emacsclient  -t ", ["emacsclient", "-t"]],
    [`"/Applications/My Editor.app/bin/edit" -w`, ["/Applications/My Editor.app/bin/edit", "-w"]],
    [`'it''s' ""`, ["its", ""]],
    [`"C:\\Program Files\\ed.exe" -n`, ["C:\\Program Files\\ed.exe", "-n"]],
    ["vi $(touch x); rm", ["vi", "$(touch", "x);", "rm"]],
    [`"never closed`, ["never closed"]],
    ["", []],
  ])("%j is %j", (command, words) => {
    expect(splitCommand(command)).toEqual(words);
  });
});
