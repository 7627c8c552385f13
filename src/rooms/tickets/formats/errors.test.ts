import { describe, expect, it } from "vitest";
import { ForgeError } from "../../../kernel/errors.ts";
import { limits, type TicketFormat } from "../model/limits.ts";
import { decodeTickets, encodeTicket, readEdited } from "./index.ts";

function errorOf(text: string, format?: TicketFormat, source = "a file"): ForgeError {
  try {
    decodeTickets(text, { format, source });
  } catch (error) {
    if (error instanceof ForgeError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

const laughs = `<?xml version="1.0"?>
<!DOCTYPE lolz [
${Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join("\n")}
]>
<ticket><title>&l9;</title></ticket>`;

describe("a text that is not a ticket gives one clear error", () => {
  it.each<[what: string, text: string, format: TicketFormat | undefined, message: string]>([
    ["nothing", " \n", undefined, "a file: the text is empty. Expected a ticket as JSON, XML or Markdown."],
    [
      "JSON cut off",
      '{"title": "T",\n "a": [1',
      "json",
      "a file, line 2, column 9: the JSON ends too early. Expected ] or another value.",
    ],
    [
      "a comma too much",
      '{"title": "T",}',
      "json",
      "a file, line 1, column 15: this is not a property name: }. Expected a name in double quotes.",
    ],
    [
      "a bare word",
      "[\n  nothing]",
      "json",
      "a file, line 2, column 3: this is not a JSON value: nothing]. Expected a value.",
    ],
    [
      "an escape that is none",
      '{"title": "\\x"}',
      "json",
      'a file, line 1, column 12: this is not an escape that JSON has: \\x"}. Expected an escape such as \\n or \\u00e9.',
    ],
    [
      "more after the end",
      '{"title": "T"} {}',
      "json",
      "a file, line 1, column 16: there is more text after the JSON: {}. Expected nothing more.",
    ],
    [
      "no title",
      '[{"title": "T"}, {"id": "T-1"}]',
      undefined,
      "a file, ticket 2: the ticket has no title. Expected a ticket with at least a title and at most 64 levels.",
    ],
    [
      "an empty list",
      '{"tickets": []}',
      undefined,
      "a file: the list of tickets is empty. Expected at least one ticket.",
    ],
    [
      "XML cut off",
      "<ticket>\n<title>T",
      "xml",
      "a file, line 2, column 9: this is not well-formed XML: unclosed tag: title (in <title>). Expected well-formed XML 1.0.",
    ],
    [
      "tags crossed",
      "<ticket><a><b></a></b></ticket>",
      "xml",
      "a file, line 1, column 19: this is not well-formed XML: unexpected close tag (in <a>). Expected well-formed XML 1.0.",
    ],
    [
      "an entity nobody knows",
      "<ticket><title>&lol;</title></ticket>",
      undefined,
      "a file, line 1, column 21: this is not well-formed XML: undefined entity (in <title>). Expected well-formed XML 1.0.",
    ],
    [
      "an entity bomb",
      laughs,
      "xml",
      "a file, line 12, column 3: a DOCTYPE is not accepted. Expected XML without a DOCTYPE and without its own entities.",
    ],
    [
      "an external entity",
      '<!DOCTYPE t SYSTEM "file:///etc/passwd"><ticket/>',
      undefined,
      "a file, line 1, column 41: a DOCTYPE is not accepted. Expected XML without a DOCTYPE and without its own entities.",
    ],
    [
      "another XML",
      "<html>\n</html>",
      undefined,
      "a file, line 1: <html> does not contain a ticket. Expected a <ticket> element, or <tickets> around several.",
    ],
    [
      "another among tickets",
      "<tickets><ticket/>\n<b/></tickets>",
      undefined,
      "a file, line 2: <b> does not contain a ticket. Expected a <ticket> element, or <tickets> around several.",
    ],
    [
      "XML without a title",
      "<ticket><id>T-1</id></ticket>",
      undefined,
      "a file, line 1: the ticket has no title. Expected a ticket with at least a title and at most 64 levels.",
    ],
    [
      "prose",
      "Dear all,\nno ticket",
      undefined,
      "a file, line 1: there is no title; the text starts with: Dear all,. Expected a line like `# Add logout`.",
    ],
    [
      "facts never closed",
      "---\nid: 1\n# T",
      undefined,
      "a file, line 1: the front matter that starts with --- is never closed. Expected another line of --- after it.",
    ],
    [
      "a broken fact",
      '---\nid: "1\n---\n# T',
      undefined,
      'a file, line 2: the value is not a string in double quotes: id: "1. Expected a line like status: "READY".',
    ],
    [
      "a fact twice",
      "---\nid: 1\nid: 2\n---\n# T",
      undefined,
      'a file, line 3: id is given twice: id: 2. Expected a line like status: "READY".',
    ],
  ])("%s", (_, text, format, message) => {
    const error = errorOf(text, format);
    expect(error.message).toBe(message);
    expect(error.code).toBe("VALIDATION_ERROR");
    expect(error.next).toHaveLength(1);
  });

  it("shows only a short piece of the text, and nothing in it that a terminal would obey", () => {
    const secret = `\x1b[2J\u202e${"x".repeat(1000)}`;
    for (const text of [secret, `[${secret}`, `<${secret}`, `<ticket a="${secret}`, `---\n${secret}\n---`]) {
      const { message, details } = errorOf(text);
      expect(message.length).toBeLessThan(400);
      expect(JSON.stringify(details).length).toBeLessThan(400);
      expect(message).toMatch(/^[\x20-\x7e…]*$/);
    }
  });

  it("names the line under an edited section", () => {
    const table = "# T\n\n## File Changes\n\n| Path | Action |\n| --- | --- |\n| a.ts | modify |\nand others too";
    expect(() => readEdited(table)).toThrow(/^The edited ticket, line 8: this line under "File Changes" names no file/);
  });
});

describe("too much", () => {
  it("is refused for a ticket of 5 MB, in every format, with the size and the limit", () => {
    const document = { title: "T", description: "x".repeat(5_000_000) };
    for (const format of ["json", "xml", "markdown"] as const) {
      const error = errorOf(encodeTicket(document, format), format);
      const size = JSON.stringify(document).length;
      expect(error.message).toContain(`the ticket has ${size} characters as JSON. Expected at most ${limits.ticket}`);
      expect(error.details).toMatchObject({ size, limit: limits.ticket });
    }
  });

  it("is refused for a text over 64 MiB", () => {
    expect(errorOf(" ".repeat(64 * 1_048_576 + 1)).message).toContain("Expected at most 67108864");
  });

  it.each<[TicketFormat, string]>([
    ["json", `{"title":"T","a":${"[".repeat(20_000)}`],
    ["json", `{"title":"T","a":${'{"a":'.repeat(64)}1${"}".repeat(64)}}`],
    ["xml", `<ticket>${"<a>".repeat(20_000)}`],
  ])("is refused for deep nesting in %s", (format, text) => {
    expect(errorOf(text, format).message).toMatch(/nested deeper than 64 levels/);
  });

  it("is not 64 levels", () => {
    const text = `{"title":"T","a":${"[".repeat(63)}${"]".repeat(63)}}`;
    const [document = {}] = decodeTickets(`{"tickets":[${text}]}`, { format: undefined, source: "x" }).documents;
    for (const format of ["json", "xml", "markdown"] as const)
      expect(decodeTickets(encodeTicket(document, format), { format, source: "x" }).documents).toEqual([document]);
  });

  it("is refused for small things beyond number", () => {
    expect(errorOf(`[${"[],".repeat(1_000_001)}`).message).toContain("too many objects and arrays");
    expect(errorOf(`<ticket>${"<a/>".repeat(1_000_001)}`).message).toContain("too many elements");
  });
});

describe("the format", () => {
  it.each<[source: string, text: string, format: TicketFormat]>([
    ["a.json", '{"title":"T"}', "json"],
    ["a.XML", "<ticket><title>T</title></ticket>", "xml"],
    ["a.md", "# T", "markdown"],
    ["a.markdown", "# T", "markdown"],
    ["-", '\ufeff [{"title":"T"}]', "json"],
    ["-", "\n<ticket><title>T</title></ticket>", "xml"],
    ["-", "<!-- a note --><ticket><title>T</title></ticket>", "xml"],
    ["-", "<!-- a note -->\n# T", "markdown"],
    ["-", "---\nid: 1\n---\n# T", "markdown"],
  ])("of %s with %j is %s", (source, text, format) => {
    const decoded = decodeTickets(text, { format: undefined, source });
    expect(decoded.format).toBe(format);
    expect(decoded.documents).toMatchObject([{ title: "T" }]);
  });

  it("that is given counts, whatever the name says", () => {
    expect(decodeTickets("# T", { format: "markdown", source: "a.json" }).documents).toEqual([{ title: "T" }]);
  });
});
