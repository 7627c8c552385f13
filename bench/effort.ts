import { seededRandom } from "./statistics.ts";

/** How much is measured. */
export type Effort = {
  starts: number;
  callRounds: number;
  warmUpCalls: number;
  calls: number;
  pipelinedCalls: number;
  repositoryFiles: number;
  repositoryCalls: number;
  storeProcesses: number;
  storeTransactions: number;
  storeRounds: number;
  commands: number;
  programs: number;
  files: number;
  fileRounds: number;
  tickets: { few: number; many: number };
  ticketRounds: number;
  ticketWriters: number;
  ticketWrites: number;
  serverTickets: { few: number; many: number };
  serverRounds: number;
  serverRequests: number;
  executions: number;
  testRuns: number;
  memories: readonly number[];
  recalls: number;
  boardTickets: number;
  boardRounds: number;
  boardMoves: number;
  boardEvents: number;
  random: () => number;
};

export function effortOf({ quick, seed }: { quick: boolean; seed: number }): Effort {
  const random = seededRandom(seed);
  if (quick) {
    return {
      starts: 1,
      callRounds: 1,
      warmUpCalls: 5,
      calls: 20,
      pipelinedCalls: 100,
      repositoryFiles: 300,
      repositoryCalls: 2,
      storeProcesses: 2,
      storeTransactions: 10,
      storeRounds: 1,
      commands: 1,
      programs: 3,
      files: 10,
      fileRounds: 1,
      tickets: { few: 10, many: 300 },
      ticketRounds: 1,
      ticketWriters: 3,
      ticketWrites: 5,
      serverTickets: { few: 60, many: 300 },
      serverRounds: 1,
      serverRequests: 100,
      executions: 2,
      testRuns: 1,
      memories: [300],
      recalls: 10,
      boardTickets: 300,
      boardRounds: 1,
      boardMoves: 4,
      boardEvents: 50,
      random,
    };
  }
  return {
    starts: 21,
    callRounds: 7,
    warmUpCalls: 100,
    calls: 500,
    pipelinedCalls: 2000,
    repositoryFiles: 10_000,
    repositoryCalls: 15,
    storeProcesses: 8,
    storeTransactions: 200,
    storeRounds: 3,
    commands: 21,
    programs: 100,
    files: 200,
    fileRounds: 20,
    tickets: { few: 10, many: 100_000 },
    ticketRounds: 7,
    ticketWriters: 16,
    ticketWrites: 100,
    serverTickets: { few: 1_000, many: 100_000 },
    serverRounds: 9,
    serverRequests: 4_000,
    executions: 31,
    testRuns: 9,
    memories: [10_000, 100_000],
    recalls: 60,
    boardTickets: 10_000,
    boardRounds: 9,
    boardMoves: 20,
    boardEvents: 10_000,
    random,
  };
}
