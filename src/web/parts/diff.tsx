import { useMemo, useState } from "preact/hooks";
import { showHidden } from "./foreign-text.ts";
import { type FilePatch, splitPatch } from "./split-patch.ts";

/** A page with more lines than this is slow; the rest is one click away. */
const maxLines = 400;
const maxOpenFiles = 8;

export function Diff({ patch }: { patch: string }) {
  const files = useMemo(() => splitPatch(patch), [patch]);
  if (files.length === 0) return <p class="muted">No changes.</p>;
  return (
    <div class="diff">
      {files.map((file, index) => (
        <FileDiff key={file.path} file={file} isOpen={index < maxOpenFiles && file.lines.length < maxLines} />
      ))}
    </div>
  );
}

function FileDiff({ file, isOpen }: { file: FilePatch; isOpen: boolean }) {
  const [shown, setShown] = useState(maxLines);
  const { path, added, removed, lines } = file;
  return (
    <details open={isOpen}>
      <summary>
        {path}
        <span class="added">+{added}</span>
        <span class="removed">−{removed}</span>
      </summary>
      <DiffLines lines={lines.slice(0, shown)} />
      {lines.length > shown && (
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
          {line === "" ? " " : showHidden(line)}
        </span>
      ))}
    </pre>
  );
}

function toneOf(line: string): string {
  if (line.startsWith("@@")) return "d-hunk";
  if (line.startsWith("+")) return "d-add";
  return line.startsWith("-") ? "d-del" : "";
}
