import { hrefOf } from "../router.ts";

export function Loading() {
  return (
    <p class="empty" role="status">
      Loading…
    </p>
  );
}

export function ProblemPage({ text }: { text: string }) {
  return (
    <div class="page">
      <p class="problem-box" role="alert">
        {text}
      </p>
      <p>
        <a href={hrefOf("")}>Back to the board</a>
      </p>
    </div>
  );
}
