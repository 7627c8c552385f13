import { facts } from "../data/start.ts";
import { ago, exactTime, hueOf, initials, workerName } from "./words.ts";

export function Avatar({ name }: { name: string }) {
  return (
    <span class={`avatar hue-${hueOf(name)}`} title={name} role="img" aria-label={`Assigned to ${name}`}>
      {initials(name)}
    </span>
  );
}

const priorityMarks: Record<string, string> = { urgent: "‼", high: "↑", medium: "=", low: "↓" };

export function Priority({ value, withName = false }: { value: string; withName?: boolean }) {
  return (
    <span class={`priority ${value}`} title={`Priority: ${value}`}>
      <span aria-hidden="true">{priorityMarks[value] ?? "·"}</span>
      <span class={withName ? "" : "visually-hidden"}>{value}</span>
    </span>
  );
}

export function TypeMark({ value }: { value: string }) {
  return <span class={`type ${value}`}>{value}</span>;
}

export function StatusBadge({ status }: { status: string }) {
  return <span class={`status s-${status.toLowerCase()}`}>{facts.value?.statusNames[status] ?? status}</span>;
}

/** An assistant is at work. */
export function Worker({ holder }: { holder: string }) {
  return (
    <span class="worker" title={`Claimed by ${holder}`}>
      <span class="pulse" aria-hidden="true" />
      {workerName(holder)}
    </span>
  );
}

export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {ago(at)}
    </time>
  );
}
