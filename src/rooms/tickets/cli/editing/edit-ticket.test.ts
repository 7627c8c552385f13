import { describe, expect, it } from "vitest";
import { CapturedStream, type RunOptions } from "../../../../../test/harness/cli/cli.ts";
import {
  aroundCalls,
  atTerminal,
  MemoryEditor,
  TicketCli,
} from "../../../../../test/harness/rooms/tickets/ticket-cli.ts";
import { ForgeError } from "../../../../kernel/errors.ts";

/** A project with T-001 "Add logout". */
async function withTicket(): Promise<TicketCli> {
  const cli = new TicketCli();
  await cli.do(["create", "Add logout", "--criterion", "One", "--criterion", "Two", "--criterion", "Three"]);
  return cli;
}

function editing(editor: MemoryEditor, lines: (string | undefined)[] = [], asked: string[] = []): RunOptions {
  return { with: atTerminal({ editor, lines }, asked) };
}

const retitle = (text: string) => text.replace("# Add logout", "# Add sign-out");
const untitle = (text: string) => text.replace("# Add logout\n", "");

describe("forge edit", () => {
  it("saves the edited ticket with the ids of criteria that stayed, and then removes the file", async () => {
    const cli = await withTicket();
    const editor = new MemoryEditor((text) => retitle(text).replace("1. One\n", "").replace("Three", "Three\n4. Four"));
    expect(await cli.run("edit t-1", editing(editor))).toMatchObject({ code: 0, out: "Saved T-001.\n", err: "" });
    expect(editor.opened).toEqual([expect.stringContaining("# Add logout\n")]);
    expect(editor.isRemoved).toBe(true);
    expect(await cli.json("show T-001")).toMatchObject({
      title: "Add sign-out",
      criteria: [
        { id: "AC-2", text: "Two" },
        { id: "AC-3", text: "Three" },
        { id: "AC-4", text: "Four" },
      ],
    });
  });

  it("saves nothing where nothing changed", async () => {
    const cli = await withTicket();
    const editor = new MemoryEditor((text) => text);
    expect(await cli.run("ticket edit T-001", editing(editor))).toMatchObject({ code: 0, out: "Nothing changed.\n" });
    expect(await cli.json("show T-001")).toMatchObject({ revision: 1 });
  });

  it("prints id, revision and whether it changed as JSON", async () => {
    const cli = await withTicket();
    const run = async (editor: MemoryEditor) => (await cli.run("edit T-001 --json", editing(editor))).json();
    expect(await run(new MemoryEditor(retitle))).toEqual({ id: "T-001", changed: true, revision: 2 });
    expect(await run(new MemoryEditor((text) => text))).toEqual({ id: "T-001", changed: false, revision: 2 });
    expect(await run(new MemoryEditor((text) => `${text}\n`))).toEqual({ id: "T-001", changed: false, revision: 2 });
  });

  it.each([
    [{ code: 3 }, "with exit code 3"],
    [{ signal: "SIGTERM" }, "by SIGTERM"],
  ])("keeps and names the file where the editor ends with %j", async (end, words) => {
    const cli = await withTicket();
    const editor = new MemoryEditor(() => end);
    const { code, err } = await cli.run("edit T-001", editing(editor));
    expect(code).toBe(1);
    expect(err).toContain(`The editor ended ${words}. Nothing was saved.`);
    expect(err).toContain("Your text is in /tmp/x/T-001.md");
    expect(editor.isRemoved).toBe(false);
    expect(await cli.json("show T-001")).toMatchObject({ revision: 1 });
  });

  it("shows what is wrong and opens the text again with a note about it, which is not saved", async () => {
    const cli = await withTicket();
    const asked: string[] = [];
    const editor = new MemoryEditor(
      (text) => text.replace('"DRAFT"', '"COMPLETE"'),
      (text) => retitle(text).replace('"COMPLETE"', '"READY"'),
    );
    const { code, err } = await cli.run("edit T-001", editing(editor, [""], asked));
    expect(code).toBe(0);
    expect(err).toContain("T-001 cannot move from DRAFT to COMPLETE.\n  From DRAFT it can move to ");
    expect(asked).toEqual(["Edit again, or keep the text for later? [E/k] "]);
    expect(editor.opened[1]).toMatch(
      /^<!-- forge edit: this text is not saved yet\.\nT-001 cannot move from DRAFT to COMPLETE\.\n[^\n]*-->\n---\n/,
    );
    expect(await cli.json("show T-001")).toMatchObject({ title: "Add sign-out", status: "READY" });
  });

  it("words what to do next as commands", async () => {
    const cli = await withTicket();
    const editor = new MemoryEditor((text) => text.replace('"T-001"', '"no id"'));
    const { err } = await cli.run("edit T-001", editing(editor, ["k"]));
    expect(err).not.toContain("list_tickets");
  });

  it.each([["k"], ["no"], [undefined]])("keeps the text where the answer is %j", async (answer) => {
    const cli = await withTicket();
    const editor = new MemoryEditor(untitle);
    const { code, err } = await cli.run("edit T-001", editing(editor, [answer]));
    expect(code).toBe(1);
    expect(err).toContain("there is no title");
    expect(err).toContain("Your text is in /tmp/x/T-001.md");
    expect(err).toContain("`forge edit T-001 --text /tmp/x/T-001.md --revision 1`");
    expect(editor.isRemoved).toBe(false);
    expect(editor.text).not.toContain("forge edit:");
  });

  it("keeps the text without the note of an earlier round", async () => {
    const cli = await withTicket();
    const editor = new MemoryEditor(untitle, () => ({ code: 1 }));
    expect((await cli.run("edit T-001", editing(editor, ["e"]))).code).toBe(1);
    expect(editor.opened[1]).toContain("<!-- forge edit:");
    expect(editor.text).not.toContain("<!-- forge edit:");
  });

  it("shows what changed in the meantime, and puts the current ticket beside the text", async () => {
    const cli = await withTicket();
    const asked: string[] = [];
    const editor = new MemoryEditor(
      async (text) => {
        await cli.do("assign T-001 grace");
        return retitle(text);
      },
      (text) => text,
    );
    const { code, err } = await cli.run("edit T-001", editing(editor, ["e"], asked));
    expect(code).toBe(0);
    expect(err).toContain('+assignee: "grace"');
    expect(asked[0]).toContain("with the current ticket beside it");
    expect(editor.beside["T-001-now"]).toContain("grace");
    expect(editor.opened[1]).toContain("/tmp/x/T-001-now.md");
    const after = await cli.json("show T-001");
    expect(after).toMatchObject({ title: "Add sign-out", revision: 3 });
    expect(after).not.toHaveProperty("assignee");
  });

  it("names the file where saving fails for another reason", async () => {
    const cli = await withTicket();
    const editor = new MemoryEditor(retitle);
    const full = aroundCalls((name, _input, call) => {
      if (name === "save_ticket_text") throw new ForgeError("STORE_ERROR", "The disk is full.");
      return call();
    });
    const person = atTerminal({ editor, lines: [] });
    const { code, err } = await cli.run("edit T-001", { with: (app) => ({ ...person(app), ...full(app) }) });
    expect(code).toBe(2);
    expect(err).toContain("Your text is in /tmp/x/T-001.md");
    expect(err).toContain("The disk is full.");
    expect(editor.isRemoved).toBe(false);
  });

  it.each([[{ code: 0 }], [{ code: 1 }]])(
    "names no file where the editor deleted it and ended with %j",
    async (end) => {
      const cli = await withTicket();
      const editor = new MemoryEditor(() => {
        editor.exists = false;
        return end;
      });
      const { code, err } = await cli.run("edit T-001", editing(editor));
      expect(code).toBe(1);
      expect(err).toContain("Nothing was saved");
      expect(err).not.toContain("/tmp/x");
    },
  );

  it("names the file as soon as it is stopped, once, and a signal is a failure", async () => {
    const cli = await withTicket();
    const stop = new AbortController();
    const stderr = new CapturedStream();
    let saidAtOnce = "";
    const editor = new MemoryEditor(() => {
      stop.abort();
      saidAtOnce = stderr.text;
      return { signal: "SIGTERM" };
    });
    const ran = await cli.run("edit T-001", { ...editing(editor), stderr, signal: stop.signal });
    expect(ran).toMatchObject({ code: 1, failsOnSignals: true });
    expect(saidAtOnce).toContain("Your text is in /tmp/x/T-001.md");
    expect(stderr.text.split("Your text is in")).toHaveLength(2);
  });

  it("says what to do instead where there is no terminal", async () => {
    const { code, err } = await (await withTicket()).run("edit T-001");
    expect(code).toBe(1);
    expect(err).toContain("Run `forge export T-001 --format markdown --output FILE` to write it to a file.");
    expect(err).toContain("Run `forge edit T-001 --text FILE --revision 1` to save your changes.");
  });

  it("saves a kept text, and never over another person's change", async () => {
    const cli = await withTicket();
    const editor = new MemoryEditor(async (text) => {
      await cli.do(["assign", "T-001", "bob"]);
      return retitle(text);
    });
    const { err } = await cli.run("edit T-001", editing(editor, ["k"]));
    const [, line = ""] = /run `forge (edit [^`]*)`/.exec(err) ?? [];
    const kept = cli.file("kept.md", editor.text);
    const refused = await cli.run(line.replace("/tmp/x/T-001.md", kept));
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("changed") });
    expect(await cli.json("show T-001")).toMatchObject({ title: "Add logout", assignee: "bob" });
    const [, again = ""] = /`forge (edit [^`]*)`/.exec(refused.err) ?? [];
    expect(await cli.do(again)).toBe("Saved T-001.");
  });

  it("C04 shows no escape sequence of an error or a changed ticket", async () => {
    const cli = await withTicket();
    const evil = "\x1b]0;owned\x07";
    const editor = new MemoryEditor(async (text) => {
      await cli.do(["assign", "T-001", `x${evil}`]);
      return text.replace("DRAFT", evil);
    });
    const { out, err } = await cli.run("edit T-001", editing(editor, ["k"]));
    expect(out + err).not.toContain("\x1b");
    expect(err).toContain("\\x1b]0;owned");
  });
});
