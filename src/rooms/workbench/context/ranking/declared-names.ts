import { detectLanguage } from "../../../../commons/code-index/languages.ts";

const maxLines = 20_000;
const maxLineLength = 300;

const declaration =
  /\b(?:class|def|fn|func|function|struct|enum|trait|interface|type|const|let|var|record|mod|object) {1,4}(?:\([^()]{0,80}\) ?)?([A-Za-z_$][\w$]{1,80})/;
/** A method of Java, C# or TypeScript: a name, brackets, and a brace at the end of the line. */
const method = /\b([A-Za-z_]\w{2,60})\([^;{}]{0,200}\)[^;{}]{0,80}\{$/;
const keywords = new Set(["if", "for", "while", "switch", "catch", "return", "function", "else"]);

/** The names that a source file declares, at any depth; of a document, its headings. */
export function listDeclaredNames(path: string, text: string): string[] {
  const isDocument = detectLanguage(path)?.name === "markdown";
  return text.split("\n", maxLines).flatMap((whole) => {
    const line = whole.slice(0, maxLineLength).trimEnd();
    if (isDocument) return /^#{1,4} /.test(line) ? [line.slice(2)] : [];
    const name = declaration.exec(line)?.[1] ?? method.exec(line)?.[1];
    return name === undefined || keywords.has(name) ? [] : [name];
  });
}
