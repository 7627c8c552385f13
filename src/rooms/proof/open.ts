import type { House } from "../../commons/house.ts";
import type { Call } from "../../kernel/calls/call.ts";
import { type OpenRoom, once } from "../../kernel/definitions/room.ts";
import { machineName } from "../../platform/host/machine-name.ts";
import { noTeam } from "./model/errors.ts";
import type { ProofRules, ProofTickets } from "./model/ports.ts";
import { Proof, type ProofServices } from "./service/proof.ts";

/** Proof of the project's tickets, wherever they are kept: checks always run here. */
export async function openProof(house: House): Promise<OpenRoom<ProofServices>> {
  const { git, redactor } = house;
  const projectRoot = house.project.root;
  const tickets = once(async () => {
    const port = await house.port<ProofTickets>("proof.tickets");
    if (!port) throw new Error("there are no tickets to prove");
    return port;
  });
  const team = once(async () => {
    const connection = await house.team();
    if (!connection) throw noTeam();
    return new (await import("./remote/team-policy.ts")).RemoteTeamPolicy(connection.server);
  });
  const requireServer = async (call: Call) => {
    if (await house.team()) await (await team()).policy({}, call);
  };
  const isShared = once(async () => (await house.team()) !== undefined);
  const consent = once(async () => {
    const { CommandConsent } = await import("./service/command-consent.ts");
    const isCi = async (call: Call) => (await isShared()) && (await team()).isCi(call);
    return new CommandConsent({ guard: (await house.store()).guard, projectRoot, isShared, isCi });
  });
  const rules = once(() => house.port<ProofRules>("proof.rules"));
  // Loaded when something is to be run.
  const runners = once(async () => {
    const [{ TestRunStore, TestService }, { Trust }, { CheckRunner }, { RuleChecks }] = await Promise.all([
      import("../../commons/test-runs/index.ts"),
      import("../../commons/trust/index.ts"),
      import("./service/check-runner.ts"),
      import("./service/rule-checks.ts"),
    ]);
    const { database } = await house.store();
    const trust = new Trust();
    const treeHash = (root: string, signal: AbortSignal) => git.work(root).treeHash(signal);
    const tests = new TestService({ trust, runs: new TestRunStore(database.forTables()), treeHash });
    return { trust, runner: new CheckRunner(tests, trust, treeHash), rules: new RuleChecks(rules, treeHash) };
  });
  const verifier = once(async () => {
    const [{ trust, ...run }, { ProofTrees }, { TicketVerifier }] = await Promise.all([
      runners(),
      import("./service/proof-trees.ts"),
      import("./service/ticket-verifier.ts"),
    ]);
    const trees = new ProofTrees(git, trust, projectRoot);
    const deps = {
      git,
      projectRoot,
      tickets,
      trees,
      ...run,
      consent: await consent(),
      redactor,
      requireServer,
      isShared,
    };
    return new TicketVerifier({ ...deps, machine: machineName() });
  });
  const quick = once(async () => {
    const [{ runner, rules: ruleChecks }, { QuickCheck }] = await Promise.all([
      runners(),
      import("./service/quick-check.ts"),
    ]);
    return new QuickCheck({ projectRoot, runner, rules: ruleChecks, consent: await consent(), redactor });
  });
  const proof = new Proof({ git, projectRoot, tickets, rules, verifier, quick, consent, isShared });
  const keys = once(async () => new (await import("./receipt/keys.ts")).ReceiptKeys());
  const policyOf = async (call: Call) => ((await isShared()) ? (await team()).policy({}, call) : { ciOnly: false });
  const receipts = once(async () => {
    const { Receipts } = await import("./receipt/receipts.ts");
    return new Receipts(proof, await keys(), redactor, policyOf);
  });
  return { services: { proof, keys, receipts, team, redactor } };
}
