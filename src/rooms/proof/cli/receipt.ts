import { commandFor } from "../../../commons/cli/command-for.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { makeReceipt } from "../tools/make-receipt.ts";
import type { noteReceipt } from "../tools/note-receipt.ts";
import type { trustReceiptKey } from "../tools/trust-receipt-key.ts";
import type { verifyReceipt } from "../tools/verify-receipt.ts";
import { commandFacts, ticketArgument } from "./shared.ts";

const maxBytes = 8 * 1_048_576;

export const receipt = commandFor<typeof makeReceipt>({
  ...commandFacts,
  tool: "make_receipt",
  name: "receipt",
  aliases: ["ticket receipt"],
  summary: "Print a ticket's receipt, with its proof",
  details:
    "As the ticket was last verified. Markdown is for a pull request, HTML for people, JSON is an in-toto statement in a " +
    "DSSE envelope, signed with your key in ~/.forge/keys.",
  examples: [
    ["forge receipt T-001", "As Markdown."],
    ["forge receipt T-001 --format json", "Signed, for others to verify."],
  ],
  arguments: [ticketArgument],
  print: ({ text }, out) => out.exact(text),
});

export const receiptNote = commandFor<typeof noteReceipt>({
  ...commandFacts,
  tool: "note_receipt",
  name: "receipt note",
  summary: "Keep a receipt as a git note on its commit",
  details: "The signed statement, in refs/notes/forge. Push that reference to share it.",
  examples: [["forge receipt note T-001", "On the commit that was verified."]],
  arguments: [ticketArgument],
  print: ({ commit }, out) => out.print(plain(`Noted on ${commit.slice(0, 12)} in refs/notes/forge.`)),
});

export const receiptVerify = commandFor<typeof verifyReceipt>({
  ...commandFacts,
  tool: "verify_receipt",
  name: "receipt verify",
  summary: "Verify a receipt",
  details:
    "Checks the signature, and that the commit and its tree are in this repository. The exit code is 0 for a receipt of a " +
    "known signer whose criteria are all proven or waived, 1 for one that is not valid or has others, and 2 for a valid " +
    "signature of an unknown signer.",
  examples: [
    ["forge receipt verify T-001.receipt.json", "Signature, commit and tree."],
    ["forge receipt verify T-001.receipt.json --rerun", "Also run its checks again."],
    ["git notes --ref=forge show HEAD | forge receipt verify - --commit HEAD", "The note on the latest commit."],
  ],
  arguments: [{ field: "receipt", name: "file", required: true, help: "The receipt as JSON; - is standard input." }],
  options: { commit: { value: "COMMIT", help: "Fail if the receipt is for another commit." } },
  toInput: async ({ rerun, commit }, { app, out, positionals: [file = ""] }) => ({
    receipt: await app.files.read(file, out.signal, maxBytes),
    ...(rerun === true && { rerun }),
    ...(typeof commit === "string" && { commit }),
  }),
  print({ ticketId, title, result, commit, signer, knownSigner, issuer, criteria, evidence, rerun }, out) {
    out.print(plain(`${ticketId}: ${title}`));
    out.print(plain(`${result} at ${commit.slice(0, 12)}`));
    const who = knownSigner ? `known signer ${signer.slice(0, 12)}` : `unknown signer ${signer.slice(0, 12)}`;
    out.print(plain(`Valid signature, ${who}`));
    if (issuer) out.print(plain(`Issued by ${issuer.server} for the team ${issuer.team}`));
    for (const { id, state, why } of criteria) out.print(plain(`  ${id} ${state}: ${why}`));
    for (const { check, state, source } of evidence) out.print(plain(`  ${check} ${state}: ${source}`));
    if (!rerun) return;
    out.print("Run again:");
    for (const { check, outcome, why } of rerun.results) out.print(plain(`  ${check} ${outcome}: ${why}`));
    out.print(
      rerun.passed
        ? "The checks were run again and confirm the receipt."
        : out.style.red("The checks were run again and do not confirm the receipt."),
    );
  },
  exitCode({ criteria, knownSigner, rerun }) {
    const isSettled = criteria.length > 0 && criteria.every(({ state }) => state === "proven" || state === "waived");
    if (!isSettled || rerun?.passed === false) return 1;
    return knownSigner ? 0 : 2;
  },
});

export const receiptTrust = commandFor<typeof trustReceiptKey>({
  ...commandFacts,
  tool: "trust_receipt_key",
  name: "receipt trust",
  summary: "Trust the signer of receipts",
  details: "The key is kept in ~/.forge/keys. Compare its id with what its owner tells you.",
  examples: [
    ["forge receipt trust grace.pem", "Trust this key."],
    [
      "curl -s https://forge.example/api/keys | forge receipt trust - --team 5f0c2a",
      "Trust the key of a server, for this team.",
    ],
  ],
  arguments: [
    {
      field: "key",
      name: "file",
      required: true,
      help: "A public key, a receipt signed with it, or a server's keys; - is standard input.",
    },
  ],
  options: { team: { value: "ID", help: "For a server's key: the team whose receipts to trust." } },
  toInput: async ({ team }, { app, out, positionals: [file = ""] }) => ({
    key: await app.files.read(file, out.signal, maxBytes),
    ...(typeof team === "string" && { team }),
  }),
  print({ signer, team }, out) {
    const which = team === undefined ? "Receipts" : `Receipts of the team ${plain(team)}`;
    out.print(`${which} signed by ${plain(signer)} now count as signed by a known signer.`);
  },
});
