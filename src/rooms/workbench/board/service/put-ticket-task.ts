import type { Actor } from "../../../../kernel/calls/call.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { limits } from "../../model/limits.ts";
import type { Task } from "../../model/task-model.ts";
import { type TicketItem, ticketBlock } from "../../model/ticket-items.ts";
import { ticketBlockTaken } from "../model/errors.ts";
import type { Board } from "./board.ts";

/** Marks the block as Forge's own; a block of the user may have the same name. */
export const ticketBlockText = "Work on tickets. Forge makes a task of each ticket that is executed.";

type TicketBoard = Pick<Board, "block" | "task" | "createBlock" | "createTask" | "updateTask">;

/** Whether it is a task in a block of the project's own that is called like the tickets' block. */
export async function hasOwnTask(board: Pick<Board, "block" | "task">, task: string): Promise<boolean> {
  return (await hasOwnTicketBlock(board)) && (await ifFound(board.task(ticketBlock, task))) !== undefined;
}

async function hasOwnTicketBlock(board: Pick<Board, "block">): Promise<boolean> {
  const block = await ifFound(board.block(ticketBlock));
  return block !== undefined && (block.id !== ticketBlock || block.description !== ticketBlockText);
}

/** Throws if the project has a block of its own that is called like the tickets' block. */
export async function requireTicketBlock(board: Pick<Board, "block">): Promise<void> {
  if (await hasOwnTicketBlock(board)) throw ticketBlockTaken();
}

/** Makes the task that a ticket is executed as, or brings it up to date with the ticket. */
export async function putTicketTask(board: TicketBoard, by: Actor, item: TicketItem): Promise<Task> {
  if (!(await ifFound(board.block(ticketBlock))))
    await board.createBlock(by, { id: ticketBlock, name: "Tickets", description: ticketBlockText });
  const content = {
    name: item.title.slice(0, limits.name),
    description: item.description.slice(0, limits.text),
    acceptance_criteria: item.criteria.slice(0, limits.list).map((text) => text.slice(0, limits.line)),
    files_affected: item.files.slice(0, limits.list).map((path) => path.slice(0, limits.path)),
    ticketId: item.id,
  };
  const known = await ifFound(board.task(ticketBlock, item.id));
  if (!known) return board.createTask(by, ticketBlock, { id: item.id, ...content });
  if (known.status === "in_progress") return known;
  return board.updateTask(by, ticketBlock, item.id, { ...content, status: "pending" });
}

async function ifFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ForgeError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
