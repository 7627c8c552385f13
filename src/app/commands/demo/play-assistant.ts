import { setTimeout as pause } from "node:timers/promises";
import { connectMcp } from "../../../hosts/mcp/client/connect-mcp.ts";
import type { DemoWork } from "./prepare-demo.ts";
import { voucherChecks, voucherCode } from "./sample-project.ts";

type Stage = {
  url: string;
  token: string | undefined;
  /** Between two steps, so that one can look on. */
  pauseMs: number;
  /** Told what happens next. */
  narrate(text: string): void;
  signal: AbortSignal;
};

/** Plays an assistant: a client like any other, which takes a ticket from the board and finishes it. Nothing is staged but its text. */
export async function playAssistant(work: DemoWork, { url, token, pauseMs, narrate, signal }: Stage): Promise<void> {
  const { ticketId, blockId, taskId } = work;
  const client = await connectMcp(url, "demo-assistant", token);
  const step = async (text: string, tool: string, input: Record<string, unknown>) => {
    narrate(text);
    await pause(pauseMs, undefined, { signal });
    return client.call(tool, input);
  };
  try {
    await step("Lists the tickets that are ready", "list_tickets", { status: ["READY"] });
    await step(`Reads ${ticketId}`, "get_ticket_context", { ticketId });
    await step("Recalls what is known about vouchers and rounding", "recall_structured", { query: "voucher rounding" });
    await step(`Claims ${ticketId}`, "claim_ticket", { ticketId });
    await step(`Moves ${ticketId} to In progress`, "update_ticket_status", { ticketId, status: "CREATED" });
    await step("Starts the task on its own branch", "forge_execute_task", { block_id: blockId, task_id: taskId });
    const write = (path: string, content: string) => ({ file_path: path, content });
    await step("Writes the tests", "forge_write_file", write("test/checkout.test.js", voucherCode.test));
    for (const check of voucherChecks)
      await step(`Binds a test to ${check.criterion}`, "forge_bind_check", { ticketId, ...check });
    await step("Writes the code", "forge_write_file", write("src/checkout.js", voucherCode.wrong));
    const first = await step("Runs the tests", "forge_run_tests", {});
    narrate(`  ${describeRun(first)}`);
    await step("Fixes the mistake that the tests found", "forge_edit_file", {
      file_path: "src/checkout.js",
      edits: [voucherCode.right],
    });
    const second = await step("Runs the tests again", "forge_run_tests", {});
    narrate(`  ${describeRun(second)}`);
    await step("Checks the project's rules", "forge_check_governance", {});
    await step("Commits and merges", "forge_commit_changes", { message: "Apply vouchers at checkout" });
    const proof = await step(`Proves ${ticketId}, with and without the change`, "forge_verify_ticket", { ticketId });
    narrate(`  ${describeProof(proof)}`);
    await step("Remembers what it learned", "remember_structured", {
      type: "agent-learnings",
      agent: "dev",
      text: "A voucher can be worth more than the cart: the amount due must not fall below zero.",
      tags: ["checkout"],
    });
    await step(`Moves ${ticketId} to Done`, "update_ticket_status", { ticketId, status: "COMPLETE" });
  } finally {
    await client.close();
  }
}

function describeRun({ test_results: results }: Record<string, unknown>): string {
  const { passed, failed } = results as { passed: number; failed: number };
  return failed === 0 ? `All ${passed} tests pass` : `${failed} failed, ${passed} passed`;
}

function describeProof({ criteria }: Record<string, unknown>): string {
  const states = (criteria as { state: string }[]).map(({ state }) => state);
  return `${states.filter((state) => state === "proven").length} of ${states.length} criteria proven`;
}
