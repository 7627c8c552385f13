import * as z from "zod";
import type { App } from "../../src/commons/cli/app.ts";
import { commandFor } from "../../src/commons/cli/command-for.ts";
import { printList } from "../../src/commons/cli/print/list.ts";
import { defineRoom, type ForgeRoom } from "../../src/commons/house.ts";
import { type Command, defineGroup } from "../../src/kernel/definitions/command.ts";
import { definePrompt } from "../../src/kernel/definitions/prompt.ts";
import { defineResource } from "../../src/kernel/definitions/resource.ts";
import { defineRoute } from "../../src/kernel/definitions/route.ts";
import { defineTool } from "../../src/kernel/definitions/tool.ts";
import type { Database } from "../../src/platform/db/database.ts";
import type { Migration } from "../../src/platform/db/types.ts";

type ZooTables = { zoo_animal: { name: string } };

/** The rules and the store of a tiny room, in one class. */
class Zoo {
  readonly #database: Database<ZooTables>;

  constructor(database: Database<unknown>) {
    this.#database = database.forTables<ZooTables>();
  }

  async add(name: string): Promise<void> {
    await this.#database.transaction((tx) => tx.insertInto("zoo_animal").values({ name }).execute());
  }

  async names(): Promise<string[]> {
    const rows = await this.#database.read((db) =>
      db.selectFrom("zoo_animal").select("name").orderBy("name").execute(),
    );
    return rows.map(({ name }) => name);
  }
}

type ZooServices = { zoo: Zoo };

const name = z.string().min(1).max(40);
const animals = z.object({ animals: z.array(name).max(1_000) });

const addAnimal = defineTool({
  name: "add_animal",
  title: "Add an animal",
  description: "Add an animal to the zoo.",
  effect: "add",
  core: true,
  input: z.object({ name }),
  output: z.object({ name }),
  async run({ zoo }: ZooServices, input) {
    await zoo.add(input.name);
    return input;
  },
});

const listAnimals = defineTool({
  name: "list_animals",
  title: "List the animals",
  description: "List the animals of the zoo.",
  effect: "read",
  core: true,
  input: z.object({}),
  output: animals,
  run: async ({ zoo }: ZooServices) => ({ animals: await zoo.names() }),
});

const zooTour = definePrompt({
  name: "zoo_tour",
  title: "A tour of the zoo",
  description: "Describe every animal.",
  args: z.object({}),
  run: async ({ zoo }: ZooServices) => [
    { role: "user" as const, content: { type: "text" as const, text: `Describe ${(await zoo.names()).join(", ")}.` } },
  ],
});

const animalsResource = defineResource<ZooServices>({
  uri: "forge://animals",
  name: "animals",
  title: "Animals",
  description: "The animals of the zoo.",
  mimeType: "text/plain",
  read: async ({ zoo }) => ({ text: (await zoo.names()).join("\n") }),
});

const facts = { settings: ["project"], group: "more" } as const;

const commands: Command<App>[] = [
  defineGroup<App>({ name: "zoo", summary: "Work with animals", examples: [], group: "more" }),
  commandFor<typeof addAnimal>({
    ...facts,
    tool: "add_animal",
    name: "zoo add",
    summary: "Add an animal",
    examples: [["forge zoo add Zebra", "Add a zebra."]],
    print: (added, out) => out.print(`Added ${added.name}.`),
  }),
  commandFor<typeof listAnimals>({
    ...facts,
    tool: "list_animals",
    name: "zoo list",
    summary: "List the animals",
    examples: [["forge zoo list", "All animals."]],
    print: (result, out) =>
      printList({ columns: [{ title: "NAME", cell: (row) => row }], rows: result.animals, none: "No animals." }, out),
  }),
];

const animalsRoute = defineRoute({
  method: "GET",
  path: "/api/animals",
  summary: "List the animals.",
  scope: "signed-in",
  effect: "read",
  names: "none",
  params: z.object({}),
  query: z.object({}),
  output: animals,
  run: async ({ zoo }: ZooServices) => ({ animals: await zoo.names() }),
});

/** A room with one of everything. `step` is the place of its table among the steps of the schema. */
export function makeZooRoom(step: number): ForgeRoom {
  const migration: Migration = {
    id: step,
    name: "zoo",
    async up(db) {
      await db.schema
        .createTable("zoo_animal")
        .addColumn("name", "text", (column) => column.notNull())
        .execute();
    },
  };
  return defineRoom<ZooServices, ZooServices>({
    name: "zoo",
    title: "Zoo",
    guidance: "Call add_animal for every animal you meet.",
    fits: () => ({ fits: true, why: "always" }),
    tools: { add_animal: async () => addAnimal, list_animals: async () => listAnimals },
    prompts: { zoo_tour: async () => zooTour },
    resources: async () => [animalsResource],
    commands: async () => commands,
    routes: async () => [animalsRoute],
    migrations: async () => [migration],
    open: async () => async (house) => ({ services: { zoo: new Zoo((await house.store()).database) } }),
    serve: async () => (house) => ({ services: () => ({ zoo: new Zoo(house.database) }) }),
  }) as ForgeRoom;
}
