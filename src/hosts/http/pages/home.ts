import { visible } from "../../../kernel/visible.ts";
import type { BrowserSession } from "../../../rooms/access/model/model.ts";
import { hidden, type Page } from "./layout.ts";
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
    body: html`<dl>
<dt>Name</dt><dd>${visible(user.displayName)}</dd>
<dt>Email</dt><dd>${visible(user.email)}</dd>
</dl>
<p>On your laptop, <code>forge login</code> connects the command line and your assistants.</p>
<ul>
<li><a href="/device">Enter the code of a device</a></li>
<li><a href="/password">Change your password</a></li>
<li><a href="/api/docs">Reference of the REST endpoints</a></li>
</ul>
<form method="post" action="/signout">${hidden("csrf", csrf)}<button class="second">Sign out</button></form>`,
  };
}

function strangersPage(): Page {
  return {
    title: "A Forge server",
    body: html`<p>It keeps a team's tickets for people and their assistants.</p>
<p><a class="button" href="/signin">Sign in</a></p>
<p><small>Was it started just now? Then open the link that it printed, to set it up.</small></p>`,
  };
}
