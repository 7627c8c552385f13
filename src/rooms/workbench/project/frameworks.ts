import type { Ecosystem } from "../../../commons/code-index/languages.ts";
import type { PackageKind } from "../../../commons/manifests/manifest.ts";
import { matchesDependency } from "./test-frameworks.ts";

/** What a package is, by what it depends on; in the order in which they are named. */
const roles = ["backend", "web app", "frontend", "mobile app", "desktop app", "game", "MCP server", "CLI"] as const;
type Role = (typeof roles)[number];

export type Framework = { label: string; role: Role };

type PackageFacts = {
  ecosystem: Ecosystem;
  name: string | undefined;
  dependencies: string[];
  devDependencies: string[];
  supported: string[];
  marks: string[];
  kind: PackageKind | undefined;
};

/** `dependency=label` if the two differ; a star at the end matches anything. Earlier ones are named first. */
const known: Record<Ecosystem, Partial<Record<Role, string>>> = {
  javascript: {
    backend:
      "@nestjs/core=nestjs express fastify koa hono @hapi/hapi=hapi @adonisjs/core=adonis @feathersjs/feathers=feathers apollo-server @apollo/server=apollo",
    "web app": "next=next.js nuxt @remix-run/react=remix @sveltejs/kit=sveltekit astro gatsby",
    frontend: "react-dom=react react vue @angular/core=angular svelte solid-js=solid preact lit ember-source=ember",
    "mobile app": "expo react-native @ionic/core=ionic @capacitor/core=capacitor",
    "desktop app": "electron @tauri-apps/api=tauri",
    game: "phaser",
    "MCP server": "@modelcontextprotocol/sdk=typescript @modelcontextprotocol/server=typescript",
    CLI: "commander yargs @oclif/core=oclif ink cac",
  },
  python: {
    backend: "django fastapi flask starlette tornado aiohttp sanic litestar falcon pyramid grpcio=grpc",
    "web app": "streamlit gradio dash",
    "desktop app": "PyQt5 PyQt6 PySide6",
    game: "pygame",
    "MCP server": "mcp=python fastmcp",
    CLI: "typer click",
  },
  rust: {
    backend: "actix-web axum rocket warp poem tide salvo tonic hyper",
    frontend: "leptos yew dioxus",
    "desktop app": "tauri egui iced",
    game: "bevy",
    "MCP server": "rmcp",
    CLI: "clap structopt argh",
  },
  go: {
    backend:
      "github.com/gin-gonic/gin*=gin github.com/labstack/echo*=echo github.com/gofiber/fiber*=fiber github.com/go-chi/chi*=chi github.com/gorilla/mux=gorilla google.golang.org/grpc=grpc",
    CLI: "github.com/spf13/cobra=cobra github.com/urfave/cli*=urfave/cli",
  },
  java: {
    backend:
      "spring-boot*=spring-boot org.springframework.boot=spring-boot quarkus*=quarkus io.quarkus=quarkus micronaut*=micronaut ktor-server*=ktor io.ktor.plugin=ktor vertx-web=vert.x javalin",
    "mobile app": "com.android.application=android",
    CLI: "picocli clikt",
  },
};

const table = new Map<Ecosystem, { dependency: string; framework: Framework }[]>();

function listFrameworks(ecosystem: Ecosystem): { dependency: string; framework: Framework }[] {
  const made =
    table.get(ecosystem) ??
    roles.flatMap((role) =>
      (known[ecosystem][role] ?? "").split(" ").flatMap((word) => {
        const [dependency = "", label = dependency] = word.split("=");
        return dependency === "" ? [] : [{ dependency, framework: { label, role } }];
      }),
    );
  table.set(ecosystem, made);
  return made;
}

/**
 * One for each role: what a package is made with, not what it supports or is tested with. A command-line framework is only named
 * if there is no other.
 */
export function findFrameworks(facts: PackageFacts): Framework[] {
  const { ecosystem, name: own, dependencies, devDependencies, supported, marks, kind } = facts;
  const used = [...dependencies, ...marks].filter((name) => name !== own && !supported.includes(name));
  // An application that is bundled needs its packages only to be built; a library needs them to be tested.
  const bundled = ecosystem === "javascript" && kind === undefined ? devDependencies : [];
  const found = new Map<Role, Framework>();
  for (const { dependency, framework } of listFrameworks(ecosystem)) {
    const { role } = framework;
    const names = role === "frontend" || role === "web app" || role === "desktop app" ? [...used, ...bundled] : used;
    if (!found.has(role) && names.some((name) => matchesDependency(name, dependency))) found.set(role, framework);
  }
  // The larger of two that are used together.
  if (found.has("web app") || found.has("mobile app")) found.delete("frontend");
  if (found.size > 1) found.delete("CLI");
  return [...found.values()];
}

export function compareRoles(a: Framework, b: Framework): number {
  return roles.indexOf(a.role) - roles.indexOf(b.role);
}
