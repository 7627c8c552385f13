import type { ComponentChildren, JSX } from "preact";
import type { Loaded as LoadedValue } from "../data/use-loaded.ts";
import { hrefOf } from "../router.ts";

export function Loading() {
  return (
    <p class="empty" role="status">
      Loading…
    </p>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <p class="problem-box" role="alert">
      {text}
    </p>
  );
}

export function ProblemPage({ text }: { text: string }) {
  return (
    <div class="page">
      <Problem text={text} />
      <p>
        <a href={hrefOf("")}>Back to the board</a>
      </p>
    </div>
  );
}

/** Shows what was read, once it is there. */
export function Loaded<T>({
  of: { value, problem },
  children,
}: {
  of: LoadedValue<T>;
  children(value: T): JSX.Element;
}) {
  if (problem !== undefined) return <Problem text={problem} />;
  return value === undefined ? <Loading /> : children(value);
}

type SectionProps = { title: string; note?: ComponentChildren; children: ComponentChildren };

/** A titled part of a page. */
export function Section({ title, note, children }: SectionProps) {
  return (
    <section>
      <div class="section-head">
        <h2>{title}</h2>
        {note !== undefined && <span class="muted">{note}</span>}
      </div>
      {children}
    </section>
  );
}

/** Files or services that could not be read. */
export function Warnings({ texts = [] }: { texts?: readonly string[] | undefined }) {
  if (texts.length === 0) return null;
  return (
    <ul class="warnings">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
