import type { FoundSecret } from "../../../kernel/text/redactor.ts";

/** Searched at once. */
const pieceLength = 4 * 1_048_576;
/** Of the piece before, searched again with the next: longer than any secret. */
const overlap = 65_536;
/** A longer line is taken in parts. */
const maxLineLength = 65_536;
const maxFound = 1_000;

/** Looks through the lines that a patch adds, file by file, however long they are. Every line of a file's text begins with a sign. */
export class AddedText {
  readonly #find: (text: string) => FoundSecret[];
  readonly #files: Map<string, FoundSecret>[] = [];
  /** Of the file that is being read: what was not searched yet. */
  #text = "";
  #rest = "";
  #isInHunk = false;
  /** What a line is of which only the beginning has been read. */
  #begun: "added" | "other" | undefined;

  constructor(find: (text: string) => FoundSecret[]) {
    this.#find = find;
  }

  read(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString("latin1")).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#readLine(line, true);
    if (this.#rest.length <= maxLineLength) return;
    this.#readLine(this.#rest, false);
    this.#rest = "";
  }

  /** What was found in each file, in the order of the patch. */
  end(): FoundSecret[][] {
    if (this.#rest !== "") this.#readLine(this.#rest, true);
    this.#searchRest();
    return this.#files.map((found) => [...found.values()]);
  }

  #readLine(line: string, isWhole: boolean): void {
    if (this.#begun === "added") this.#add(line);
    else if (this.#begun === undefined) this.#begun = this.#begin(line);
    if (!isWhole) return;
    if (this.#begun === "added") this.#add("\n");
    this.#begun = undefined;
  }

  #begin(line: string): "added" | "other" {
    if (line.startsWith("diff --git ")) {
      this.#searchRest();
      this.#files.push(new Map());
      this.#isInHunk = false;
    } else if (line.startsWith("@@ ")) this.#isInHunk = true;
    else if (this.#isInHunk && line.startsWith("+")) {
      this.#add(line.slice(1));
      return "added";
    }
    return "other";
  }

  #add(text: string): void {
    this.#text += text;
    while (this.#text.length >= pieceLength) {
      this.#search(this.#text.slice(0, pieceLength));
      this.#text = this.#text.slice(pieceLength - overlap);
    }
  }

  #searchRest(): void {
    if (this.#text !== "") this.#search(this.#text);
    this.#text = "";
  }

  #search(piece: string): void {
    const found = this.#files.at(-1);
    // Without NULs, text in UTF-16 can be read too.
    const text = Buffer.from(piece.replaceAll("\0", ""), "latin1").toString();
    for (const one of this.#find(text))
      if (found && found.size < maxFound) found.set(JSON.stringify([one.kind, one.secret]), one);
  }
}
