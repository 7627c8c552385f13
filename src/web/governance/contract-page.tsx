import { readTool, request } from "../data/api.ts";
import { facts } from "../data/start.ts";
import { useLoaded } from "../data/use-loaded.ts";
import { Loaded, Section, Warnings } from "../parts/page.tsx";
import { Prose } from "../parts/prose.tsx";
import { hrefOf } from "../router.ts";

type Contract = { name: string; filename: string; format: string; content: unknown; warnings?: string[] };

export function ContractPage({ name }: { name: string }) {
  const contract = useLoaded(
    () =>
      facts.value?.place === "project"
        ? readTool<Contract>("forge_get_contract", { name })
        : request<Contract>("GET", `/forge/contracts/${encodeURIComponent(name)}`),
    [name],
  );
  document.title = `${name} · Forge`;
  return (
    <article class="page">
      <p class="crumbs">
        <a href={hrefOf("governance")}>Governance</a> / <span class="id">{name}</span>
      </p>
      <h1>{name.replaceAll("_", " ")}</h1>
      <Loaded of={contract}>
        {({ filename, content, warnings }) => (
          <Section title={filename}>
            <Warnings texts={warnings} />
            <div class="document">
              <Prose text={typeof content === "string" ? content : JSON.stringify(content, undefined, 2)} />
            </div>
          </Section>
        )}
      </Loaded>
    </article>
  );
}
