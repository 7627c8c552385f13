import { splitText } from "./foreign-text.ts";

/** Text by anyone, as text: links show the host they lead to, and open without telling where they were. */
export function Prose({ text }: { text: string }) {
  return (
    <span class="prose">
      {splitText(text).map((part, index) =>
        "text" in part ? (
          part.text
        ) : (
          <a key={index} class="outside" href={part.href} target="_blank" rel="noopener noreferrer nofollow">
            {part.before}
            <b>{part.host}</b>
            {part.after}
          </a>
        ),
      )}
    </span>
  );
}
