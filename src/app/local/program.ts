import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { approveStep } from "../../commons/guard/approve-step.ts";
import type { ForgeRoom } from "../../commons/house.ts";
import { Outbox } from "../../commons/ledger/team/outbox.ts";
import { OutboxSender } from "../../commons/ledger/team/outbox-sender.ts";
import type { AskedStep } from "../../kernel/calls/asked-step.ts";
import type { Question } from "../../kernel/calls/call.ts";
import type { Caller, Runtime } from "../../kernel/calls/invoke.ts";
import type { OpenRoom } from "../../kernel/definitions/room.ts";
import { localPrincipal, type Principal } from "../../kernel/principal.ts";
import { entryAt } from "../../platform/files/entry-at.ts";
import { pinFolder } from "../../platform/files/pinned-folders.ts";
import { userName } from "../../platform/host/user-name.ts";
import { plain } from "../../platform/terminal/text.ts";
import { rooms as allRooms } from "../../rooms.ts";
import { type HouseOptions, type LocalHouse, type LocalStore, makeHouse } from "./house.ts";
import { makePorts } from "./ports.ts";

export type ProgramOptions = Omit<HouseOptions, "onEnd" | "principal" | "port"> & {
  /** A person at a terminal gives the commands; without one it may be an assistant's shell. */
  atKeyboard: boolean;
};

/** What calls run on in a project. Loaded on the first call, not at start; each room opens when something of it is called. */
export class Program {
  readonly #house: LocalHouse;
  readonly #atKeyboard: boolean;
  readonly #confirm: HouseOptions["confirm"];
  readonly #hasStore: () => boolean;
  readonly #open = new Map<string, Promise<OpenRoom<unknown>>>();
  readonly #endings: (() => unknown)[] = [];
  #shared: Promise<Omit<Runtime<unknown>, "services">> | undefined;
  #user: string | undefined;

  constructor({ atKeyboard, rooms = allRooms, ...options }: ProgramOptions) {
    this.#atKeyboard = atKeyboard;
    this.#confirm = options.confirm;
    const onEnd = (close: () => unknown) => void this.#endings.push(close);
    const { root, stateDir, databaseFile } = options.project;
    this.#hasStore = () => options.settings.databaseUrl !== undefined || entryAt(databaseFile) !== undefined;
    // A linked work tree's store is in the main one.
    for (const folder of new Set([root, dirname(stateDir)])) this.#endings.push(pinFolder(folder));
    const services = async (name: string) => {
      const room = rooms.find((one) => one.name === name);
      return room && this.services(room);
    };
    const port = makePorts(services);
    this.#house = makeHouse({ ...options, rooms, onEnd, principal: () => this.principal(), port });
  }

  /** The store, with approvals. */
  store(): Promise<LocalStore> {
    return this.#house.store();
  }

  /** What every call shares. Knows the user's name once it is there. */
  openShared(): Promise<Omit<Runtime<unknown>, "services">> {
    this.#shared ??= this.#openShared().catch((error) => {
      this.#shared = undefined;
      throw error;
    });
    return this.#shared;
  }

  async #openShared(): Promise<Omit<Runtime<unknown>, "services">> {
    const { redactor, log } = this.#house;
    const [{ ledger, guard, database }, team] = await Promise.all([this.#house.store(), this.#house.team()]);
    this.#user = team?.name;
    const relay =
      team && new OutboxSender({ ledger, outbox: new Outbox(database, team.recipient), send: team.sendEntries, log });
    if (relay) this.#endings.push(() => relay.stop());
    return {
      recorder: relay ?? ledger,
      noteUntrusted: guard.noteUntrusted,
      isTrusted: guard.isTrusted,
      approve: (call, step) => approveStep(guard, call, step),
      redactor,
      newId: randomUUID,
      now: () => Date.now(),
      log,
    };
  }

  /**
   * What a step is approved with. Signed out of the team's server that the project is linked to, it is not known whose calls
   * are whose: what was read in any project counts then.
   */
  async approval(step: AskedStep): Promise<{ runtime: Omit<Runtime<unknown>, "services">; step: AskedStep }> {
    const shared = await this.openShared().catch(() => undefined);
    if (shared) return { runtime: shared, step };
    const { guard } = await this.store();
    const approve: Runtime<unknown>["approve"] = (call, asked) => approveStep(guard, call, asked);
    return { runtime: { ...this.#makeUnrecorded(), approve }, step: { ...step, ofUser: true } };
  }

  /** What a room's calls run on. */
  async runtime(room: ForgeRoom, isRecorded = room.inLedger !== false): Promise<Runtime<unknown>> {
    const shared = !isRecorded ? this.#makeUnrecorded() : this.openShared();
    const [runtime, services] = await Promise.all([shared, this.services(room)]);
    return { ...runtime, services };
  }

  /** For calls that are not about the project: no store is opened for them, except to ask before a change. */
  #makeUnrecorded(): Omit<Runtime<unknown>, "services"> {
    const { redactor, log } = this.#house;
    const recorder = { open: async () => undefined, close: async () => undefined };
    const approve: Runtime<unknown>["approve"] = async (call, step) => {
      if (await this.mayFollowOthers(step)) await (await this.openShared()).approve?.(call, step);
    };
    return { recorder, redactor, approve, newId: randomUUID, now: () => Date.now(), log };
  }

  /** Whether a command may come from an assistant that has read text by others. Without a store, none was read here. */
  async mayFollowOthers(step: Pick<AskedStep, "ofUser">): Promise<boolean> {
    if (this.#atKeyboard) return false;
    return this.#hasStore() || (await this.#house.readings.countFor(step));
  }

  async services(room: ForgeRoom): Promise<unknown> {
    let open = this.#open.get(room.name);
    if (!open) {
      open = this.#openRoom(room);
      open.catch(() => this.#open.delete(room.name));
      this.#open.set(room.name, open);
    }
    return (await open).services;
  }

  async #openRoom(room: ForgeRoom): Promise<OpenRoom<unknown>> {
    const open = await room.open?.();
    if (!open) throw new Error(`rooms/${room.name} has nothing to open`);
    return open(this.#house);
  }

  /** What the user is called, here and on the team's server. */
  async userName(): Promise<string> {
    await this.openShared();
    return this.principal().name;
  }

  principal(agent?: string, instance?: string): Principal {
    return localPrincipal(this.#user ?? userName(), agent, instance);
  }

  /** The person who gives a command. */
  caller(
    signal: AbortSignal,
    options: Pick<Caller, "command" | "quiet"> & Partial<Pick<Caller, "report">> = {},
  ): Caller {
    const { command, quiet, report = () => {} } = options;
    return {
      principal: this.#atKeyboard ? { ...this.principal("forge"), atKeyboard: true } : this.principal(),
      ...(command !== undefined && { command }),
      ...(quiet && { quiet }),
      signal,
      report,
      // What a tool logs for an assistant's client, a command's answer says itself.
      log: (level, message) => {
        if (command === undefined) this.#house.log(level, message);
      },
      canAsk: (kind) => kind === "person" && this.#atKeyboard && this.#confirm !== undefined,
      ask: (questions) => this.#ask(questions),
    };
  }

  /** On the user's terminal, one question after the other. */
  async #ask(questions: Record<string, Question>): Promise<Record<string, unknown>> {
    const answers: Record<string, unknown> = {};
    for (const [key, question] of Object.entries(questions)) {
      if (question.ask !== "person") throw new Error("a command can ask only the user");
      const isAllowed = await this.#confirm?.(plain(question.message));
      answers[key] = isAllowed ? { action: "accept", content: { allow: true } } : { action: "decline" };
    }
    return answers;
  }

  /** Rooms first, then what they run on, in the reverse order of opening. */
  async close(): Promise<void> {
    const open = await Promise.allSettled(this.#open.values());
    for (const room of open.reverse()) if (room.status === "fulfilled") await room.value.stop?.();
    for (const close of this.#endings.reverse()) await close();
  }
}

export function roomNamed(name: string, rooms = allRooms): ForgeRoom {
  const room = rooms.find((candidate) => candidate.name === name);
  if (!room) throw new Error(`there is no rooms/${name}`);
  return room;
}
