import type { App } from "../../../../commons/cli/app.ts";
import type { Output } from "../../../../kernel/command.ts";

export async function runLogout(app: App, out: Output): Promise<number> {
  const done = await (await app.access()).logOut(out.signal);
  out.data({ signedOut: done !== undefined, toldServer: done?.toldServer ?? false }, ({ signedOut }) => {
    if (done?.hadEnded) return "You are signed out here; the server no longer knew this sign-in.";
    return signedOut ? "Signed out." : "Nobody was signed in.";
  });
  if (done && !done.toldServer && !done.hadEnded) {
    out.note("The server could not be told. What it has given out ends by itself; an admin can end it sooner.");
  }
  return 0;
}
