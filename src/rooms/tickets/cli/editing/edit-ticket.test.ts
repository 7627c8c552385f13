import { describe, expect, it } from "vitest";
import { CapturedStream, MemoryApp, run } from "../../../../../test/harness/cli.ts";
import type { AttachedEnd } from "../../../../commons/cli/attached-end.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { Draft } from "./editor.ts";

/** An editor whose person does one thing after the other with the text. */
class MemoryEditor {
  text = "";
  opened: string[] = [];
  beside: Record<string, string> = {};
  isRemoved = false;
  /** Whether the file is still there. */
  exists = true;
  readonly #deeds: ((text: string) => string | AttachedEnd)[];

  constructor(...deeds: ((text: string) => string | AttachedEnd)[]) {
    this.#deeds = deeds;
  }

  async open(name: string, text: string): Promise<Draft> {
    this.text = text;
    return {
      path: `/tmp/x/${name}.md`,
      edit: async () => {
        this.opened.push(this.text);
        const done = this.#deeds.shift()?.(this.text) ?? { code: 99 };
        if (typeof done !== "string") return done;
        this.text = done;
        return { code: 0 };
      },
      read: async () => this.text,
      exists: () => this.exists && !this.isRemoved,
      write: async (written) => {
        this.text = written;
      },
      layBeside: async (beside, written) => {
        this.beside[beside] = written;
        return `/tmp/x/${beside}.md`;
      },
      remove: async () => {
        this.isRemoved = true;
      },
    };
  }
}

const original = "# T-001\n\nOne\n";

function makeApp(editor: MemoryEditor, ...answers: (string | undefined)[]) {
  const app = new MemoryApp();
  const questions: string[] = [];
  app.desk.text = original;
  app.editor = editor;
  app.ask = async (question) => {
    questions.push(question);
    return answers.shift();
  };
  return { app, questions };
}

const refusal = new ForgeError("VALIDATION_ERROR", "Line 3: a status must be one of READY, DRAFT --> here.");

function refuseOnce(app: MemoryApp, error: ForgeError): void {
  const save = app.desk.saveEdited.bind(app.desk);
  app.desk.saveEdited = async () => {
    app.desk.saveEdited = save;
    throw error;
  };
}

const saved = (app: MemoryApp) =>
  app.desk.deeds.filter(([deed]) => deed === "saveEdited").map(([, , edited]) => edited);

describe("forge edit", () => {
  it("saves what the editor made of the ticket, and then removes the file", async () => {
    const editor = new MemoryEditor((text) => `${text}Two\n`);
    const { app } = makeApp(editor);
    expect(await run("edit T-001", { app })).toMatchObject({ code: 0, out: "T-001 is saved.\n", err: "" });
    expect(editor.opened).toEqual([original]);
    expect(saved(app)).toEqual([{ text: `${original}Two\n`, revision: 3 }]);
    expect(editor.isRemoved).toBe(true);
  });

  it("saves nothing where nothing changed", async () => {
    const editor = new MemoryEditor((text) => text);
    const { app } = makeApp(editor);
    expect(await run("edit T-001", { app })).toMatchObject({ code: 0, out: "Nothing changed.\n" });
    expect(saved(app)).toEqual([]);
  });

  it.each([
    [{ code: 3 }, "with exit code 3"],
    [{ signal: "SIGTERM" }, "by SIGTERM"],
  ])("keeps and names the file where the editor ends with %j", async (end, words) => {
    const editor = new MemoryEditor(() => end);
    const { app } = makeApp(editor);
    const { code, err } = await run("edit T-001", { app });
    expect(code).toBe(1);
    expect(err).toContain(`The editor ended ${words}; nothing is saved.`);
    expect(err).toContain("Your text is in /tmp/x/T-001.md");
    expect([saved(app), editor.isRemoved]).toEqual([[], false]);
  });

  it("shows what is wrong and opens the text again with that at the top, which is not saved", async () => {
    const editor = new MemoryEditor(
      () => "wrong\n",
      (text) => text.replace("wrong", "right"),
    );
    const { app, questions } = makeApp(editor, "");
    refuseOnce(app, refusal);
    const { code, err } = await run("edit T-001", { app });
    expect(code).toBe(0);
    expect(err).toContain("Line 3: a status must be one of READY, DRAFT --> here.");
    expect(questions).toHaveLength(1);
    expect(editor.opened[1]).toMatch(
      /^<!-- forge edit: [\s\S]*Line 3: a status must be one of READY, DRAFT - -> here\.[\s\S]*-->\nwrong\n$/,
    );
    expect(saved(app)).toEqual([{ text: "right\n", revision: 3 }]);
  });

  it.each([["k"], ["no"], [undefined]])("keeps the text where the answer is %j", async (answer) => {
    const editor = new MemoryEditor(() => "wrong\n");
    const { app } = makeApp(editor, answer);
    refuseOnce(app, refusal);
    const { code, err } = await run("edit T-001", { app });
    expect(code).toBe(1);
    expect(err).toContain("Your text is in /tmp/x/T-001.md");
    expect(err).toContain("forge import /tmp/x/T-001.md --on-existing replace");
    expect([editor.isRemoved, editor.text]).toEqual([false, "wrong\n"]);
  });

  it("keeps the text without the note of an earlier round", async () => {
    const editor = new MemoryEditor(
      () => "wrong\n",
      () => ({ code: 1 }),
    );
    const { app } = makeApp(editor, "e");
    refuseOnce(app, refusal);
    expect((await run("edit T-001", { app })).code).toBe(1);
    expect(editor.text).toBe("wrong\n");
  });

  it("where the ticket changed meanwhile it shows how, and lays the ticket as it is now beside", async () => {
    const editor = new MemoryEditor(
      () => "mine\n",
      (text) => text,
    );
    const { app, questions } = makeApp(editor, "e");
    const { saveEdited } = app.desk;
    app.desk.saveEdited = async () => {
      app.desk.saveEdited = saveEdited;
      app.desk.text = "# T-001\n\nTheirs\n";
      app.desk.tickets = app.desk.tickets.map((ticket) => ({ ...ticket, revision: 4 }));
      throw new ForgeError("CONFLICT_ERROR", "T-001 was changed meanwhile.");
    };
    const { code, err } = await run("edit T-001", { app });
    expect(code).toBe(0);
    expect(err).toContain("-One\n+Theirs");
    expect(questions[0]).toContain("beside");
    expect(editor.beside).toEqual({ "T-001-now": "# T-001\n\nTheirs\n" });
    expect(editor.opened[1]).toContain("/tmp/x/T-001-now.md");
    expect(saved(app)).toEqual([{ text: "mine\n", revision: 4 }]);
  });

  it("names the file where saving fails for another reason", async () => {
    const editor = new MemoryEditor(() => "mine\n");
    const { app } = makeApp(editor);
    refuseOnce(app, new ForgeError("STORE_ERROR", "The disk is full."));
    const { code, err } = await run("edit T-001", { app });
    expect(code).toBe(2);
    expect(err).toContain("Your text is in /tmp/x/T-001.md");
    expect(err).toContain("The disk is full.");
    expect(editor.isRemoved).toBe(false);
  });

  it.each([[{ code: 0 }], [{ code: 1 }]])(
    "names no file where the editor deleted it and ended with %j",
    async (end) => {
      const editor = new MemoryEditor(() => {
        editor.exists = false;
        return end;
      });
      const { app } = makeApp(editor);
      const { code, err } = await run("edit T-001", { app });
      expect(code).toBe(1);
      expect(err).toContain("nothing is saved");
      expect(err).not.toContain("/tmp/x");
      expect(saved(app)).toEqual([]);
    },
  );

  it("names the file as soon as it is stopped, once, and a signal is a failure", async () => {
    const stop = new AbortController();
    const stderr = new CapturedStream();
    let saidAtOnce = "";
    const editor = new MemoryEditor(() => {
      stop.abort();
      saidAtOnce = stderr.text;
      return { signal: "SIGTERM" };
    });
    const { app } = makeApp(editor);
    expect(await run("edit T-001", { app, stderr, signal: stop.signal })).toMatchObject({ code: 1 });
    expect(saidAtOnce).toContain("Your text is in /tmp/x/T-001.md");
    expect(stderr.text.split("Your text is in")).toHaveLength(2);
    expect(app.failsOnSignals).toBe(true);
  });

  it("says what to do instead where there is no terminal", async () => {
    const { code, err } = await run("edit T-001");
    expect(code).toBe(1);
    expect(err).toContain("forge export T-001");
    expect(err).toContain("forge import FILE --on-existing replace");
  });

  it("C04 shows no escape sequence of a refusal or a changed ticket", async () => {
    const evil = "\x1b]0;owned\x07";
    const editor = new MemoryEditor(() => "mine\n");
    const { app } = makeApp(editor, "k");
    refuseOnce(app, new ForgeError("CONFLICT_ERROR", `Changed: ${evil}`));
    app.desk.editable = async () => ({ text: evil, revision: app.desk.deeds.length });
    const { out, err } = await run("edit T-001", { app });
    expect(out + err).not.toContain("\x1b");
    expect(err).toContain("\\x1b]0;owned");
  });
});
