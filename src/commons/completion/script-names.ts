/** Where the BMAD kit and its successor keep the script that decides whether work is complete. */
export const contractScriptNames: readonly string[] = ["_bmad", "_grimoire"].flatMap((kit) => [
  `${kit}/_config/custom/cc-verify.sh`,
  `${kit}/_config/cc-verify.sh`,
  `${kit}/kit/framework/cc-verify.sh`,
]);
