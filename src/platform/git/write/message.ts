import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/text/visible.ts";

/** `Key: value`, as git takes it for a trailer. */
const trailer = /^([A-Za-z0-9-]+): \S/;

/** What a person vouches for. Who writes the message through Forge may be an assistant, so these become ordinary text. */
const attestations = new Set(["signed-off-by", "reviewed-by", "acked-by", "tested-by", "approved-by", "verified-by"]);

/**
 * A commit's message with trailers at its end, where git looks for them. Git is handed it as it is: no line is a comment to
 * be dropped. Trailers of the same key in the message give way to ours, so that nobody can pass off work as another task's.
 */
export function composeMessage(message: string, trailers: Readonly<Record<string, string>>): string {
  if (message.includes("\0")) throw refusedMessage("contains a NUL character");
  const lines = message
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => makeVisible(line.trimEnd()));
  const text = lines.join("\n").replace(/^\n+/, "").trimEnd();
  if (text === "") throw refusedMessage("is empty");
  const ours = Object.entries(trailers).map(([key, value]) => trailerLine(key, value));
  if (ours.length === 0) return `${text}\n`;
  const { body, block } = splitTrailers(text);
  const keys = new Set(Object.keys(trailers).map((key) => key.toLowerCase()));
  const keyOf = (line: string) => trailer.exec(line)?.[1]?.toLowerCase() ?? "";
  const attested = block.filter((line) => attestations.has(keyOf(line)));
  const kept = block.filter((line) => !keys.has(keyOf(line)) && !attestations.has(keyOf(line)));
  const quoted = attested.length === 0 ? "" : `\n\n${attested.map((line) => `    ${line}`).join("\n")}`;
  return `${body}${quoted}\n\n${[...kept, ...ours].join("\n")}\n`;
}

/**
 * With what moves a cursor, hides or reorders text written out: messages are shown in terminals. What only joins or divides
 * letters stays, since some scripts need it.
 */
function makeVisible(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    "\t\u00ad\u200c\u200d".includes(character) ? character : visible(character),
  );
}

/** The last paragraph, where it is one of trailers and not the only one. */
function splitTrailers(text: string): { body: string; block: string[] } {
  const at = text.lastIndexOf("\n\n");
  const block = at < 0 ? [] : text.slice(at + 2).split("\n");
  const isBlock = block.length > 0 && block.every((line) => trailer.test(line));
  return isBlock ? { body: text.slice(0, at).trimEnd(), block } : { body: text, block: [] };
}

function trailerLine(key: string, value: string): string {
  const text = value.trim();
  if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(key) || text === "" || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
    throw new ForgeError("VALIDATION_ERROR", `The commit trailer ${JSON.stringify(key)} is not a single line.`, {
      details: { key },
      next: ["Use a key of letters and dashes and a value of one line."],
    });
  return `${key}: ${text}`;
}

function refusedMessage(why: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The commit message ${why}.`, {
    next: ["Write one line that says what was changed, then a blank line, then why."],
  });
}
