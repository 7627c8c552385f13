import { signal } from "@preact/signals";
import { ApiError } from "../data/api.ts";

type Toast = { id: number; text: string; isProblem: boolean };

const toasts = signal<readonly Toast[]>([]);
const shownMs = 6_000;
const maxToasts = 4;
let last = 0;

function show(text: string, isProblem: boolean): void {
  const id = ++last;
  toasts.value = [...toasts.value, { id, text, isProblem }].slice(-maxToasts);
  setTimeout(() => dismiss(id), shownMs);
}

export function say(text: string): void {
  show(text, false);
}

export function showProblem(error: unknown): void {
  show(describeProblem(error), true);
}

export function describeProblem(error: unknown): string {
  if (typeof error === "string") return error;
  if (error instanceof ApiError) return [error.message, ...error.next.slice(0, 1)].join(" ");
  return error instanceof Error ? error.message : String(error);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isProblem }) => (
        <div key={id} class={isProblem ? "toast problem" : "toast"}>
          <span>{text}</span>
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
