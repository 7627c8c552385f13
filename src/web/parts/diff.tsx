import { useMemo, useState } from "preact/hooks";
import { showHidden } from "./foreign-text.ts";
import { type FilePatch, splitPatch } from "./split-patch.ts";

/** A page with more lines than this is slow; the rest is one click away. */
const maxLines = 400;
const maxOpenFiles = 8;
const maxFiles = 300;
/** A line of megabytes would stop the browser. */
const maxLineLength = 1_000;

export function Diff({ patch }: { patch: string }) {
  const files = useMemo(() => splitPatch(patch), [patch]);
  const [shown, setShown] = useState(maxFiles);
  if (files.length === 0) return <p class="muted">No changes.</p>;
  return (
    <div class="diff">
      {files.slice(0, shown).map((file, index) => (
        <FileDiff key={index} file={file} isFirst={index < maxOpenFiles && file.lines.length < maxLines} />
      ))}
      {files.length > shown && (
        <button type="button" onClick={() => setShown(shown + maxFiles)}>
          Show {files.length - shown} more files
        </button>
      )}
    </div>
  );
}

function FileDiff({ file, isFirst }: { file: FilePatch; isFirst: boolean }) {
  const [shown, setShown] = useState(maxLines);
  const [isOpen, setOpen] = useState(isFirst);
  const { path, added, removed, lines } = file;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {path}
        <span class="added">+{added}</span>
        <span class="removed">−{removed}</span>
      </summary>
      {isOpen && <DiffLines lines={lines.slice(0, shown)} />}
      {isOpen && lines.length > shown && (
        <button type="button" onClick={() => setShown(shown + 5 * maxLines)}>
          Show {lines.length - shown} more lines
        </button>
      )}
    </details>
  );
}

export function DiffLines({ lines }: { lines: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide lines scroll, which the keyboard must be able to do too.
    <pre class="diff-lines" tabIndex={0}>
      {lines.map((line, index) => (
        <span key={index} class={toneOf(line)}>
          {line === "" ? " " : cutLine(line)}
        </span>
      ))}
    </pre>
  );
}

function cutLine(line: string): string {
  if (line.length <= maxLineLength) return showHidden(line);
  return `${showHidden(line.slice(0, maxLineLength))}… (${line.length - maxLineLength} more characters)`;
}

function toneOf(line: string): string {
  if (line.startsWith("@@")) return "d-hunk";
  if (line.startsWith("+")) return "d-add";
  return line.startsWith("-") ? "d-del" : "";
}
