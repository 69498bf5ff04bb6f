import type { FastifyReply } from 'fastify'
import type { Account } from './accounts.ts'
import { type Html, html } from './html.ts'
import { describeScope, isGranular } from './scopes.ts'

// Inline CSS, because these pages must work before assets are built.
const style = html`
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --border: #e4e7ec; --text: #1a1f2b; --muted: #5d6675; --accent: #1553b5; --hover: #eef3fb; --error: #b42318; }
@media (prefers-color-scheme: dark) { :root { --page: #131417; --card: #1b1d21; --border: #2c2f36; --text: #e6e8ec; --muted: #a3abb8; --accent: #8fc1ff; --hover: #23272e; --error: #ff9b94; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--page); color: var(--text); font: 14px/1.5 Inter, system-ui, sans-serif; }
main { width: 100%; max-width: 440px; background: var(--card); border: 1px solid var(--border); border-radius: 12px; padding: 28px 24px 20px; }
h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.3; }
h2 { margin: 20px 0 8px; font-size: 14px; }
p { margin: 0; color: var(--muted); overflow-wrap: anywhere; }
strong { color: var(--text); }
ul { list-style: none; margin: 0; padding: 0; }
.accounts { margin-top: 20px; border: 1px solid var(--border); border-radius: 8px; overflow: hidden; max-height: 50vh; overflow-y: auto; }
.accounts li + li { border-top: 1px solid var(--border); }
.account { display: grid; grid-template-columns: 36px 1fr; gap: 0 12px; align-items: center; width: 100%; padding: 10px 12px; border: 0; background: none; color: inherit; font: inherit; text-align: start; cursor: pointer; }
.account:hover { background: var(--hover); }
.initial { grid-row: span 2; width: 36px; height: 36px; border-radius: 50%; display: grid; place-items: center; background: var(--accent); color: var(--card); font-weight: 600; }
.account b, .account small { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.account b { font-weight: 600; }
.account small { color: var(--muted); font-size: 12.5px; }
.other { display: flex; gap: 8px; margin-top: 16px; flex-wrap: wrap; }
.other label { flex: 1 0 100%; }
input[type="email"] { flex: 1; min-width: 0; padding: 8px 10px; border: 1px solid var(--muted); border-radius: 8px; background: var(--page); color: var(--text); font: inherit; }
.plain { padding: 8px 14px; border: 1px solid var(--muted); border-radius: 8px; background: none; color: var(--text); font: inherit; cursor: pointer; }
.plain:hover { background: var(--hover); }
.scopes label { display: flex; gap: 10px; padding: 4px 0; }
.scopes input { width: 18px; height: 18px; margin: 1px 0 0; accent-color: var(--accent); flex: none; }
footer { display: flex; justify-content: space-between; align-items: center; gap: 12px; margin-top: 20px; padding-top: 16px; border-top: 1px solid var(--border); }
footer p { font-size: 12.5px; }
.error { color: var(--error); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
input:focus-visible, .plain:focus-visible { outline-offset: 2px; }
`

function page(title: string, content: Html): string {
  return `<!doctype html>${html`<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>${style}</style></head><body><main>${content}</main></body></html>`}`
}

/** Account chooser: one click selects an account and grants the checked scopes. Works without JavaScript. */
export function chooserPage(request: {
  clientId: string
  scopes: string[]
  accounts: Account[]
  error?: string
}) {
  const granular = request.scopes.filter(isGranular)
  return page(
    'Choose an account',
    html`<h1>Choose an account</h1>
<p>to continue to <strong>${request.clientId}</strong></p>
<form method="post" id="accounts">
<ul class="accounts" aria-label="Accounts">${request.accounts.map(accountItem)}</ul>
${granular.length === 0 ? '' : scopeChoice(request.clientId, granular)}
</form>
<form method="post" class="other">
${granular.map((scope) => html`<input type="hidden" name="scope" value="${scope}">`)}
<label for="other">Another address (creates an account)</label>
${request.error === undefined ? '' : html`<p class="error" id="other-error" role="alert">${request.error}</p>`}
<input id="other" type="email" name="email" required autocomplete="email"
 ${request.error === undefined ? '' : html`aria-describedby="other-error" aria-invalid="true"`}>
<button class="plain">Continue</button>
</form>
<footer><p>Rowferry sandbox. No Google account is involved.</p>
<button class="plain" form="accounts" name="action" value="cancel">Cancel</button></footer>`,
  )
}

function accountItem(account: Account): Html {
  return html`<li><button class="account" name="email" value="${account.email}">
<span class="initial" aria-hidden="true">${account.name.slice(0, 1).toUpperCase()}</span>
<b>${account.name}</b><small>${account.email}</small></button></li>`
}

function scopeChoice(clientId: string, scopes: string[]): Html {
  return html`<h2 id="access">Allow ${clientId} to</h2>
<ul class="scopes" aria-labelledby="access">${scopes.map(
    (scope) =>
      html`<li><label><input type="checkbox" name="scope" value="${scope}" checked> ${describeScope(scope) ?? scope}</label></li>`,
  )}</ul>`
}

/** Error page for requests with an untrusted redirect URI. */
export function authorizationErrorPage(error: string, description: string): string {
  return page(
    'Sign-in cannot continue',
    html`<h1>Sign-in cannot continue</h1>
<p>Error 400: <strong>${error}</strong></p><p>${description}</p>`,
  )
}

/** Sends a page with a strict content security policy. Forms may redirect to `formTargets`. */
export function sendPage(
  reply: FastifyReply,
  body: string,
  options: { status?: number; formTargets?: string[] } = {},
) {
  // Chromium also applies form-action to the redirect after a form, so the client's origin must be listed.
  const targets = ["'self'", ...(options.formTargets ?? [])].join(' ')
  return (
    reply
      .code(options.status ?? 200)
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'unsafe-inline'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
      )
      // With no-referrer, browsers would send Origin "null" for the page's own form.
      .header('referrer-policy', 'same-origin')
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(body)
  )
}
