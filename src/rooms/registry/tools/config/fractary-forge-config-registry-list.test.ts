import { expect, test } from "vitest";
import { RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeConfigRegistryList } from "./fractary-forge-config-registry-list.ts";

const registry = (name: string, priority: number, more: object = {}) => ({
  name,
  url: `https://${name}.example`,
  priority,
  ...more,
});

test("G07 the lowest number first; authenticated only where a token would be sent", async () => {
  const env = { FRACTARY_REGISTRY_TOKEN: "default-token", OWN: "own-token" };
  const mine = new RegistryProject(
    {
      "~/.fractary/config.json": JSON.stringify({
        registries: [
          registry("b", 9, { auth: { type: "bearer", token_env: "MISSING" } }),
          registry("a", 2),
          registry("c", 5, { auth: { token_env: "OWN" } }),
        ],
      }),
    },
    { env },
  );
  const { registries } = await mine.call(fractaryForgeConfigRegistryList);
  expect(registries).toMatchObject([
    { name: "a", authenticated: true },
    { name: "c", authenticated: true },
    { name: "b", authenticated: false },
  ]);
  expect(JSON.stringify(registries)).not.toMatch(/default-token|own-token/);
  const theirs = new RegistryProject(
    { ".fractary/config.json": JSON.stringify({ registries: [registry("evil", 1, { auth: { token_env: "OWN" } })] }) },
    { env },
  );
  expect(await theirs.call(fractaryForgeConfigRegistryList)).toMatchObject({
    registries: [{ name: "evil", authenticated: false }],
    warnings: ["evil gets no token from OWN: only the project's files name this registry."],
    next: [{ command: "registry source add NAME URL --global" }],
  });
  // Another address of the same name is another registry.
  for (const url of ["https://other.example", "https://evil.example:8443"]) {
    theirs.write("~/.fractary/config.json", JSON.stringify({ registries: [{ ...registry("evil", 1), url }] }));
    expect(await theirs.call(fractaryForgeConfigRegistryList)).toMatchObject({
      registries: [{ authenticated: false }],
    });
  }
  // The same registry gets the token that the user's own file names.
  const adopted = registry("evil", 1, { auth: { token_env: "MISSING" } });
  theirs.write("~/.fractary/config.json", JSON.stringify({ registries: [adopted] }));
  expect(await theirs.call(fractaryForgeConfigRegistryList)).toMatchObject({ registries: [{ authenticated: false }] });
  theirs.write("~/.fractary/config.json", JSON.stringify({ registries: [registry("evil", 1)] }));
  expect(await theirs.call(fractaryForgeConfigRegistryList)).toEqual({
    registries: [expect.objectContaining({ name: "evil", authenticated: true })],
  });
});

test("the built-in list gets no token; a stored one goes to the registry it is for", async () => {
  const credentials = JSON.stringify({
    registries: { a: { token: "stored" }, old: { token: "x", expires_at: "2001-01-01" } },
  });
  const project = new RegistryProject(
    { "~/.fractary/auth/credentials.json": credentials },
    { env: { FRACTARY_REGISTRY_TOKEN: "t" } },
  );
  expect(await project.call(fractaryForgeConfigRegistryList)).toMatchObject({
    registries: [{ name: "fractary-core", authenticated: false }],
  });
  const own = new RegistryProject({
    "~/.fractary/auth/credentials.json": credentials,
    "~/.fractary/config.json": JSON.stringify({ registries: [registry("a", 1), registry("old", 2)] }),
  });
  expect(await own.call(fractaryForgeConfigRegistryList)).toMatchObject({
    registries: [{ authenticated: true }, { authenticated: false }],
  });
});

test("a token that could be of several registries goes to none of them", async () => {
  const write = (project: RegistryProject, ...registries: object[]) =>
    project.write("~/.fractary/config.json", JSON.stringify({ registries }));
  const project = new RegistryProject({}, { env: { FRACTARY_REGISTRY_TOKEN: "t", OWN: "own" } });
  const sent = async () => {
    const { registries } = await project.call(fractaryForgeConfigRegistryList);
    return (registries as { authenticated: boolean }[]).map(({ authenticated }) => authenticated);
  };
  write(project, registry("a", 1), registry("b", 2));
  expect(await sent()).toEqual([false, false]);
  // Nor may a project choose one of them.
  project.write(".fractary/config.json", JSON.stringify({ registries: [registry("b", 1)] }));
  expect(await sent()).toEqual([false]);
  project.write(".fractary/config.json", "{}");
  for (const other of [
    registry("b", 2, { auth: { token_env: "OWN" } }),
    registry("b", 2, { url: "https://a.example/more" }),
    { name: "shelf", url: "/tmp", priority: 3 },
  ]) {
    write(project, registry("a", 1), other);
    expect((await sent())[0]).toBe(true);
  }
});

test("a registry that a project names too keeps the user's token only at the user's own address", async () => {
  const own = { registries: [registry("a", 1), registry("b", 2, { auth: { token_env: "OWN" } })] };
  const theirs = { registries: [registry("a", 3), registry("b", 4, { url: "https://evil.example" })] };
  const project = new RegistryProject(
    {
      "~/.fractary/auth/credentials.json": JSON.stringify({ registries: { a: { token: "x" }, b: { token: "x" } } }),
      "~/.fractary/config.json": JSON.stringify(own),
      ".fractary/config.json": JSON.stringify(theirs),
    },
    { env: { OWN: "own-token" } },
  );
  expect(await project.call(fractaryForgeConfigRegistryList)).toMatchObject({
    registries: [
      { name: "a", authenticated: true },
      { name: "b", authenticated: false },
    ],
  });
});
