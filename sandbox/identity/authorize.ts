import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { isLoopbackHost } from '../control/local-only.ts'
import { Email } from './accounts.ts'
import type { Identity } from './identity.ts'
import { authorizationErrorPage, chooserPage, sendPage } from './pages.ts'
import { isGranular, parseScopes } from './scopes.ts'

const codeLifetime = 10 * 60 * 1000

/** Pending request of an authorization code. */
export type PendingCode = {
  email: string
  clientId: string
  redirectUri: string
  scopes: string[]
  grantId: string
  offline: boolean
  nonce: string | undefined
  challenge: { value: string; method: 'S256' | 'plain' } | undefined
  expiresAt: number
}

const AuthorizeQuery = z.object({
  client_id: z.string().min(1),
  redirect_uri: z.url(),
  response_type: z.literal('code'),
  scope: z.string().min(1),
  state: z.string().optional(),
  nonce: z.string().optional(),
  login_hint: z.string().optional(),
  prompt: z.string().default(''),
  access_type: z.enum(['online', 'offline']).default('online'),
  include_granted_scopes: z.enum(['true', 'false']).default('false'),
  code_challenge: z
    .string()
    .regex(/^[\w.~-]{43,128}$/)
    .optional(),
  code_challenge_method: z.enum(['S256', 'plain']).default('plain'),
})
type AuthorizeQuery = z.infer<typeof AuthorizeQuery>

const ChooserForm = z.object({
  email: z.string().optional(),
  action: z.string().optional(),
  scope: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
})

type Deps = { identity: Identity; codes: Map<string, PendingCode>; now: () => Date }
type Request = { query: AuthorizeQuery; scopes: string[] }

/**
 * GET shows the account chooser, POST is its form. With `login_hint` (unless linked from another site) or `prompt=none` GET replies
 * immediately.
 */
export function authorizeRoutes(app: FastifyInstance, deps: Deps): void {
  for (const url of ['/o/oauth2/v2/auth', '/o/oauth2/auth']) {
    app.get(url, async (request, reply) => {
      const asked = readRequest(request.query)
      if (!asked.ok) return refuse(reply, asked)
      return answerOrAsk(reply, asked, {
        ...deps,
        crossSite: request.headers['sec-fetch-site'] === 'cross-site',
      })
    })
    app.post(url, async (request, reply) => {
      const asked = readRequest(request.query)
      if (!asked.ok) return refuse(reply, asked)
      const form = ChooserForm.parse(request.body)
      if (form.action === 'cancel') return redirectWith(reply, asked.query, { error: 'access_denied' })
      const email = Email.safeParse(form.email)
      if (!email.success) return ask(reply, asked, deps, 'Enter an e-mail address.')
      if (deps.identity.isServiceAccount(email.data))
        return ask(reply, asked, deps, 'A service account does not sign in.')
      const withheld = asked.scopes.filter((scope) => isGranular(scope) && !form.scope.includes(scope))
      return grant(reply, asked, email.data, withheld, deps)
    })
  }
}

function readRequest(
  query: unknown,
): ({ ok: true } & Request) | { ok: false; error: string; description: string } {
  const parsed = AuthorizeQuery.safeParse(query)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return {
      ok: false,
      error: 'invalid_request',
      description: `Invalid parameter value for ${issue?.path.join('.')}: ${issue?.message}`,
    }
  }
  const redirect = new URL(parsed.data.redirect_uri)
  if (!isLoopbackHost(redirect.hostname) || !/^https?:$/.test(redirect.protocol)) {
    return {
      ok: false,
      error: 'redirect_uri_mismatch',
      description: `${parsed.data.redirect_uri} is not on this machine; the sandbox redirects to loopback addresses only.`,
    }
  }
  const { scopes, unknown } = parseScopes(parsed.data.scope)
  if (unknown.length > 0) {
    const description = `Some requested scopes were invalid. {valid=[${scopes.join(', ')}], invalid=[${unknown.join(', ')}]}`
    return { ok: false, error: 'invalid_scope', description }
  }
  return { ok: true, query: parsed.data, scopes }
}

function answerOrAsk(reply: FastifyReply, asked: Request, deps: Deps & { crossSite: boolean }) {
  const { query } = asked
  const hint = Email.safeParse(query.login_hint)
  if (query.prompt.split(' ').includes('none')) {
    const standing = hint.success && deps.identity.findGrant(hint.data, query.client_id)
    const covered = standing && asked.scopes.every((scope) => standing.scopes.includes(scope))
    if (!covered) return redirectWith(reply, query, { error: 'interaction_required' })
  }
  // A link from another site must not sign the user in without a click.
  const mayEnter = hint.success && !deps.identity.isServiceAccount(hint.data)
  if (mayEnter && !deps.crossSite) return grant(reply, asked, hint.data, [], deps)
  return ask(reply, asked, deps)
}

function ask(reply: FastifyReply, asked: Request, deps: Deps, error?: string) {
  const body = chooserPage({
    clientId: asked.query.client_id,
    scopes: asked.scopes,
    accounts: deps.identity.people(),
    ...(error === undefined ? {} : { error }),
  })
  const formTargets = [new URL(asked.query.redirect_uri).origin]
  return sendPage(reply, body, { formTargets, status: error === undefined ? 200 : 422 })
}

function grant(reply: FastifyReply, asked: Request, email: string, withheld: string[], deps: Deps) {
  const { query } = asked
  const account = deps.identity.account(email)
  const before = deps.identity.findGrant(email, query.client_id)
  const scopes = asked.scopes.filter((scope) => !withheld.includes(scope))
  const firstConsent = before === undefined || !scopes.every((scope) => before.scopes.includes(scope))
  const consented = deps.identity.consent(email, query.client_id, scopes)
  const code = `4/0A${randomBytes(32).toString('base64url')}`
  const granted = query.include_granted_scopes === 'true' ? consented.scopes : scopes
  deps.codes.set(code, {
    email,
    clientId: query.client_id,
    redirectUri: query.redirect_uri,
    scopes: granted,
    grantId: consented.id,
    offline: query.access_type === 'offline' && (firstConsent || query.prompt.split(' ').includes('consent')),
    nonce: query.nonce,
    challenge:
      query.code_challenge === undefined
        ? undefined
        : { value: query.code_challenge, method: query.code_challenge_method },
    expiresAt: deps.now().getTime() + codeLifetime,
  })
  return redirectWith(reply, query, {
    code,
    scope: granted.join(' '),
    authuser: '0',
    ...(account.hd === null ? {} : { hd: account.hd }),
    prompt: firstConsent ? 'consent' : 'none',
  })
}

function redirectWith(reply: FastifyReply, query: AuthorizeQuery, parameters: Record<string, string>) {
  const target = new URL(query.redirect_uri)
  if (query.state !== undefined) target.searchParams.set('state', query.state)
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value)
  // 303 turns the POST of the chooser into a GET at the client.
  return reply.header('cache-control', 'no-store').redirect(target.href, 303)
}

function refuse(reply: FastifyReply, problem: { error: string; description: string }) {
  return sendPage(reply, authorizationErrorPage(problem.error, problem.description), { status: 400 })
}
