import { visible } from "../../../kernel/text/visible.ts";
import type { BrowserSession } from "../../../rooms/access/model/model.ts";
import { hiddenInput, type Page } from "./layout.ts";
import { html } from "./markup.ts";
import type { PageServer } from "./page-server.ts";

export function serveHome(pages: PageServer): void {
  pages.serve("GET", "/", async (context) => {
    const session = await pages.session(context);
    return pages.show(context, session ? homePage(session) : strangersPage());
  });
}

function homePage({ user, csrf }: BrowserSession): Page {
  return {
    title: "You are signed in",
    body: html`<p><a class="button" href="/board">Open the board</a></p>
<dl>
<dt>Name</dt><dd>${visible(user.displayName)}</dd>
<dt>Email</dt><dd>${visible(user.email)}</dd>
</dl>
<p>On your laptop, run <code>forge login</code> to connect the command line and your assistants.</p>
<ul>
<li><a href="/device">Connect a device</a></li>
<li><a href="/password">Change your password</a></li>
<li><a href="/api/docs">API reference</a></li>
</ul>
<form method="post" action="/signout">${hiddenInput("csrf", csrf)}<button class="second">Sign out</button></form>`,
  };
}

function strangersPage(): Page {
  return {
    title: "Forge server",
    body: html`<p>This server keeps a team's tickets for people and their assistants.</p>
<p><a class="button" href="/signin">Sign in</a></p>
<p><small>New server? Open the setup link printed in its terminal.</small></p>`,
  };
}
