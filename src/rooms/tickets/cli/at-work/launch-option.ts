/** What `execute` and `review` have in common. */
export const launchOption = {
  type: "string",
  value: "ASSISTANT",
  optionalValue: true,
  help: "Start an assistant on it here: claude (default), codex, gemini or cursor-agent.",
} as const;
