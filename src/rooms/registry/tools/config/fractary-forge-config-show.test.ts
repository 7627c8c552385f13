import { expect, test } from "vitest";
import { RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeConfigShow } from "./fractary-forge-config-show.ts";

const shapes: [file: string, text: string, url: string][] = [
  [
    "config.json",
    JSON.stringify({
      registries: [{ name: "r", type: "manifest", url: "https://one.example/registry.json", priority: 3 }],
    }),
    "https://one.example/registry.json",
  ],
  [
    "config.yaml",
    "forge:\n  registry:\n    stockyard: {enabled: true, url: https://two.example}\nwork: {x: 1}\n",
    "https://two.example/",
  ],
  [
    "forge/config.yaml",
    "organization: acme\nregistry:\n  stockyard: {url: https://three.example}\n",
    "https://three.example/",
  ],
  [
    "plugins/forge/config.json",
    JSON.stringify({ registries: [{ name: "r", url: "https://four.example" }], agents: {} }),
    "https://four.example/",
  ],
  [
    "forge.config.json",
    JSON.stringify({
      version: "1",
      resolvers: { remote: { enabled: true, registries: [{ name: "r", url: "https://five.example" }] } },
    }),
    "https://five.example/",
  ],
];

test.each(shapes)("reads %s and says where it comes from", async (file, text, url) => {
  const project = new RegistryProject({ [`.fractary/${file}`]: text });
  const { config, sources } = await project.call(fractaryForgeConfigShow);
  expect(config).toMatchObject({ registries: [{ url }], cache: { ttl: 3600 }, resolution: { local: true } });
  expect(sources).toEqual([project.path(`.fractary/${file}`)]);
});

test("the stronger file gives a section, others what it lacks; FRACTARY_CONFIG replaces them all", async () => {
  const files = {
    ".fractary/config.json": JSON.stringify({ registries: [{ name: "p", url: "https://project.example" }] }),
    "~/.fractary/config.json": JSON.stringify({
      registries: [{ name: "h", url: "https://home.example" }],
      cache: { ttl: 60 },
    }),
    "other.json": JSON.stringify({ resolution: { global: false } }),
  };
  const project = new RegistryProject(files);
  expect(await project.call(fractaryForgeConfigShow)).toMatchObject({
    config: { registries: [{ name: "p" }], cache: { ttl: 60 } },
    sources: [project.path(".fractary/config.json"), project.path("~/.fractary/config.json")],
  });
  const named = new RegistryProject(files, { env: { FRACTARY_CONFIG: "other.json" } });
  expect(await named.call(fractaryForgeConfigShow)).toMatchObject({
    config: { registries: [{ name: "fractary-core" }], resolution: { global: false } },
    sources: [named.path("other.json")],
  });
  const lost = new RegistryProject({}, { env: { FRACTARY_CONFIG: "gone.json" } });
  expect(await lost.call(fractaryForgeConfigShow)).toMatchObject({ code: "CONFIG_ERROR" });
});

test("without defaults only what files set; as YAML a text more", async () => {
  const project = new RegistryProject({
    ".fractary/config.json": JSON.stringify({ resolution: { stockyard: false } }),
  });
  expect(await project.call(fractaryForgeConfigShow, { includeDefaults: false })).toMatchObject({
    config: { registries: [], resolution: { stockyard: false } },
  });
  expect((await project.call(fractaryForgeConfigShow, { format: "yaml" }))["yaml"]).toContain("stockyard: false");
});

test("G05 no secret is shown: credentials in an address are refused, tokens redacted", async () => {
  const project = new RegistryProject({
    "~/.fractary/config.json": JSON.stringify({ registries: [{ name: "a", url: "https://user:CANARY@a.example" }] }),
  });
  const refused = await project.call(fractaryForgeConfigShow);
  expect(refused).toMatchObject({ code: "CONFIG_ERROR" });
  expect(JSON.stringify(refused)).not.toContain("CANARY");
});
