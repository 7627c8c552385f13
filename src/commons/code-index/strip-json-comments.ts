/** Compiler settings may have comments and commas before a closing bracket, which JSON does not know. */
export function stripJsonComments(text: string): string {
  const kept: string[] = [];
  let pendingComma = false;
  for (let at = 0; at < text.length; ) {
    const end = findTokenEnd(text, at);
    const token = text.slice(at, end);
    at = end;
    const isComment = token.startsWith("//") || token.startsWith("/*");
    if (isComment || token.trim() === "") {
      kept.push(isComment ? " " : token);
      continue;
    }
    if (pendingComma && token !== "}" && token !== "]") kept.push(",");
    pendingComma = token === ",";
    if (!pendingComma) kept.push(token);
  }
  return kept.join("").replace(/^\uFEFF/, "");
}

/** A text, a comment, blank space, or one other character. */
function findTokenEnd(text: string, at: number): number {
  const two = text.slice(at, at + 2);
  if (two === "//") return endOr(text.indexOf("\n", at), text);
  if (two === "/*") return endOr(text.indexOf("*/", at + 2), text, 2);
  if (text[at] !== '"') return at + 1;
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === "\\") end++;
    else if (text[end] === '"') return end + 1;
  }
  return text.length;
}

function endOr(found: number, text: string, length = 0): number {
  return found === -1 ? text.length : found + length;
}
