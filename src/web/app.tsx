import type { JSX } from "preact";
import { lazy, Suspense } from "preact/compat";
import { useEffect, useRef } from "preact/hooks";
import { isLive } from "./data/events.ts";
import { chooseTeam, facts, team } from "./data/start.ts";
import { Help } from "./help.tsx";
import { handleShortcut } from "./keyboard.ts";
import { openPalette, Palette } from "./palette.tsx";
import { Loading, ProblemPage } from "./parts/page.tsx";
import { Toasts } from "./parts/toast.tsx";
import { hrefOf, path, query } from "./router.ts";
import { nextTheme, theme } from "./theme.ts";
import { Board } from "./tickets/board.tsx";
import { TicketList } from "./tickets/list.tsx";
import { NewTicket } from "./tickets/new-ticket.tsx";
import { TicketPage } from "./tickets/ticket-page.tsx";
import { views } from "./views.ts";

const Activity = lazy(async () => (await import("./activity/activity.tsx")).Activity);
const Executions = lazy(async () => (await import("./workbench/executions.tsx")).Executions);
const ExecutionPage = lazy(async () => (await import("./workbench/execution-page.tsx")).ExecutionPage);
const Compare = lazy(async () => (await import("./workbench/compare.tsx")).Compare);
const Tasks = lazy(async () => (await import("./workbench/tasks.tsx")).Tasks);
const People = lazy(async () => (await import("./access/people.tsx")).People);
const Tokens = lazy(async () => (await import("./access/tokens.tsx")).Tokens);
const Audit = lazy(async () => (await import("./access/audit.tsx")).Audit);
const Governance = lazy(async () => (await import("./governance/governance.tsx")).Governance);
const ContractPage = lazy(async () => (await import("./governance/contract-page.tsx")).ContractPage);
const Registry = lazy(async () => (await import("./registry/registry.tsx")).Registry);
const DefinitionPage = lazy(async () => (await import("./registry/definition-page.tsx")).DefinitionPage);
const Memory = lazy(async () => (await import("./memory/memory.tsx")).Memory);
const ProofReport = lazy(async () => (await import("./proof/proof-report.tsx")).ProofReport);
const ReceiptPage = lazy(async () => (await import("./proof/receipt-page.tsx")).ReceiptPage);
const Connect = lazy(async () => (await import("./setup/connect.tsx")).Connect);

const pages: Record<string, () => JSX.Element> = {
  "": () => <Board />,
  list: () => <TicketList />,
  activity: () => <Activity />,
  executions: () => <Executions />,
  compare: () => <Compare />,
  tasks: () => <Tasks />,
  proof: () => <ProofReport />,
  governance: () => <Governance />,
  // A link with other words to search for shows their results.
  registry: () => <Registry key={query.value.get("q")} />,
  memory: () => <Memory key={query.value.get("q")} />,
  people: () => <People />,
  tokens: () => <Tokens />,
  audit: () => <Audit />,
  connect: () => <Connect />,
};

/** Pages of one thing each, by the words of their address. */
const detailPages: Record<string, (id: string, more?: string) => JSX.Element> = {
  ticket: (id) => <TicketPage id={id} />,
  execution: (id) => <ExecutionPage id={id} />,
  receipt: (id) => <ReceiptPage id={id} />,
  contract: (name) => <ContractPage name={name} />,
  definition: (kind, name = "") => (
    <DefinitionPage kind={kind === "tool" || kind === "plugin" ? kind : "agent"} name={name} />
  ),
};

export function App() {
  useEffect(() => {
    addEventListener("keydown", handleShortcut);
    return () => removeEventListener("keydown", handleShortcut);
  }, []);
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <TopBar />
      {!isLive.value && <OfflineNote />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do too. */}
      <main id="main" tabIndex={0}>
        <Suspense fallback={<Loading />}>
          <CurrentPage />
        </Suspense>
      </main>
      <NewTicket />
      <Palette />
      <Help />
      <Toasts />
    </>
  );
}

function CurrentPage() {
  const [name = "", id, more] = path.value.split("/").map(decodeURIComponent);
  const title = views.value.find((view) => view.path === name)?.title;
  if (title !== undefined)
    document.title = `${title} · ${facts.value?.project?.name ?? team.value?.name ?? ""} · Forge`;
  const { ticketsAt } = facts.value ?? {};
  if (ticketsAt !== undefined && (name === "" || name === "list" || name === "ticket"))
    return <ElsewhereNote at={ticketsAt} />;
  const detail = Object.hasOwn(detailPages, name) ? detailPages[name] : undefined;
  if (id !== undefined && detail) return detail(id, more);
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  return page ? page() : <ProblemPage text="There is no such page." />;
}

/** The tickets of this project are on a team's server. */
function ElsewhereNote({ at }: { at: string }) {
  return (
    <div class="page">
      <h1>Tickets are on your team's server</h1>
      <p>
        This project is linked to {at}. <a href={`${at}/board`}>Open the board there</a>.
      </p>
    </div>
  );
}

function TopBar() {
  const { project, teams = [], user } = facts.value ?? {};
  const [name = ""] = path.value.split("/");
  const links = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = links.current?.querySelector<HTMLElement>("[aria-current]");
    // On a phone, not all links fit; those that do not are reached by scrolling.
    if (current && links.current) links.current.scrollLeft = current.offsetLeft - links.current.offsetLeft - 40;
  }, [name]);
  return (
    <header class="topbar">
      <a class="brand" href={hrefOf("")}>
        Forge
      </a>
      {project && (
        <span class="project" title={project.path}>
          {project.name}
        </span>
      )}
      {teams.length === 1 && <span class="project">{teams[0]?.name}</span>}
      {teams.length > 1 && (
        <select aria-label="Team" value={team.value?.id} onChange={(event) => chooseTeam(event.currentTarget.value)}>
          {teams.map(({ id, name: label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      )}
      <nav aria-label="Views" ref={links}>
        {views.value.map(({ path: to, title }) => (
          <a key={to} href={hrefOf(to)} aria-current={to === name ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <span class="space" />
      <button type="button" class="quiet palette-button" onClick={openPalette}>
        <span class="wide">Search everything </span>
        <kbd>Ctrl K</kbd>
      </button>
      <button
        type="button"
        class="quiet"
        onClick={nextTheme}
        aria-label={`Theme: ${theme.value}`}
        title={`Theme: ${theme.value}`}
      >
        {{ auto: "◐", light: "☀", dark: "☾" }[theme.value]}
      </button>
      <span
        class={`live-dot ${isLive.value ? "on" : ""}`}
        role="img"
        aria-label={isLive.value ? "Live" : "Not connected"}
      />
      {facts.value?.place === "team" && (
        <a class="user" href="/" title="Account">
          {user?.name}
        </a>
      )}
    </header>
  );
}

function OfflineNote() {
  return (
    <p class="offline" role="status">
      Not connected. Changes by others appear when the connection is back.
    </p>
  );
}
