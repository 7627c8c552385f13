import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeWith } from "../harness/faults/faults.ts";
import { TicketProject } from "../harness/rooms/tickets/ticket-project.ts";

describeWith(["script"], "forge list on a terminal", () => {
  test("follows what other processes do, and leaves the terminal as it was found", async () => {
    const project = new TicketProject();
    project.create("First", "READY");
    const terminal = project.atTerminal(["list"]);
    await terminal.until("First");
    project.create("Second", "DRAFT");
    await terminal.until("Second");
    terminal.type("\r");
    await terminal.until("can move to");
    terminal.type("\x1b");
    terminal.type("q");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.isAsFound).toBe(true);
  });

  test("e asks about a text that is not right, and goes back to the list", async () => {
    const project = new TicketProject();
    project.create("First", "READY");
    const editor = project.program("spoil", `echo 'Nothing but words.' > "$1"`);
    const terminal = project.atTerminal(["list"], { EDITOR: editor });
    await terminal.until("First");
    terminal.type("e");
    await terminal.until("[E/k]");
    const before = terminal.output.length;
    terminal.type("k\n");
    await terminal.until("First", before);
    expect(terminal.output.slice(before)).toContain("Your text is in");
    terminal.type("q");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.isAsFound).toBe(true);
  });

  test("--plain is a table", async () => {
    const project = new TicketProject();
    project.create("First", "READY");
    const terminal = project.atTerminal(["list", "--plain"]);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.output).toContain("First");
    expect(terminal.output).not.toContain("\x1b[?1049h");
  });
});

describeWith(["script"], "forge edit on a terminal", () => {
  test("saves what the editor wrote, and leaves no file", async () => {
    const project = new TicketProject();
    const id = project.create("First", "READY");
    const editor = project.program("ed it", `sed 's/First/Changed/' "$2" > "$2.new" && mv "$2.new" "$2"`);
    const terminal = project.atTerminal(["edit", id], { EDITOR: `"${editor}" --wait` });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.output).toContain(`Saved ${id}.`);
    expect(project.show(id)).toMatchObject({ title: "Changed" });
    expect(readdirSync(project.root).filter((name) => name.startsWith("forge-edit"))).toEqual([]);
  });

  test("says what is wrong, and keeps the text where the person leaves it at that", async () => {
    const project = new TicketProject();
    const id = project.create("First", "READY");
    const editor = project.program("spoil", `echo 'Nothing but words.' > "$1"`);
    const terminal = project.atTerminal(["edit", id], { VISUAL: editor });
    await terminal.until("[E/k]");
    terminal.type("k\n");
    expect(await terminal.exitCode).toBe(1);
    const [, path = ""] = /Your text is in (\S+)/.exec(terminal.output) ?? [];
    expect(readFileSync(path, "utf8")).toBe("Nothing but words.\n");
    expect(project.show(id)).toMatchObject({ title: "First" });
  });

  test("a ticket that changed meanwhile is not overwritten unseen", async () => {
    const project = new TicketProject();
    const id = project.create("First", "READY");
    const change = `sed 's/First/Mine/' "$1" > "$1.new" && mv "$1.new" "$1"`;
    const editor = project.program("slow", `echo open $#; read go; ${change}`);
    const terminal = project.atTerminal(["edit", id], { VISUAL: editor });
    await terminal.until("open 1");
    project.forge("assign", id, "grace");
    terminal.type("go\n");
    await terminal.until("[E/k]");
    expect(project.show(id)).toMatchObject({ title: "First", assignee: "grace" });
    terminal.type("e\n");
    await terminal.until("open 2");
    terminal.type("go\n");
    expect(await terminal.exitCode).toBe(0);
    expect(project.show(id)).toMatchObject({ title: "Mine" });
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s names the file at once and ends with %i", async (signal, code) => {
    const project = new TicketProject();
    const id = project.create("First", "READY");
    const editor = project.program("stays", `trap '' TERM HUP; echo half > "$1"; echo open; read go`);
    const terminal = project.atTerminal(["edit", id], { VISUAL: editor });
    await terminal.until("open");
    terminal.kill(signal);
    await terminal.until("Your text is in");
    terminal.type("go\n");
    expect(await terminal.exitCode).toBe(code);
    const [, path = ""] = /Your text is in (\S+)/.exec(terminal.output) ?? [];
    expect(readFileSync(path, "utf8")).toBe("half\n");
  });

  test("Ctrl+C in the editor is the editor's, and nothing is lost", async () => {
    const project = new TicketProject();
    const id = project.create("First", "READY");
    const editor = project.program("ends", `trap 'exit 3' INT; echo half > "$1"; echo open; read go; read go`);
    const terminal = project.atTerminal(["edit", id], { VISUAL: editor });
    await terminal.until("open");
    terminal.type("\x03");
    expect(await terminal.exitCode).toBe(1);
    const [, path = ""] = /Your text is in (\S+)/.exec(terminal.output) ?? [];
    expect(existsSync(path)).toBe(true);
    expect(terminal.output).toContain("exit code 3");
  });
});
