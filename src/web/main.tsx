import { render } from "preact";
import { App } from "./app.tsx";
import { followEvents } from "./data/events.ts";
import { facts, loadStart } from "./data/start.ts";
import { followTickets, loadTickets } from "./data/tickets.ts";
import { escapeTexts } from "./escape-texts.ts";
import { showProblem } from "./parts/toast.tsx";
import { followLinks } from "./router.ts";
import { applyTheme } from "./theme.ts";

escapeTexts();
applyTheme();
followLinks();
hideToken();

const root = document.getElementById("app");
if (root) {
  root.replaceChildren();
  await loadStart();
  render(<App />, root);
  followEvents();
  if (facts.value && facts.value.ticketsAt === undefined) {
    followTickets();
    await loadTickets().catch(showProblem);
  }
}

/** A browser that has the cookie gets here with the link's token still in the address, where others could see it. */
function hideToken(): void {
  if (/^#[\w-]{43}$/.test(location.hash)) history.replaceState(null, "", location.pathname + location.search);
}
