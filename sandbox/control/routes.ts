import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { resetSpreadsheets } from '../demo/seed.ts'
import { Email } from '../identity/accounts.ts'
import type { Identity } from '../identity/identity.ts'
import { allScopes, parseScopes } from '../identity/scopes.ts'
import { makeKeyFile } from '../identity/service-account.ts'
import type { Tokens } from '../identity/tokens.ts'
import { parse } from '../parse.ts'
import { rootUrl } from '../root-url.ts'
import type { Books } from '../sheets/books.ts'
import { type Control, Latency } from './control.ts'
import { FaultSettings, faultMeanings } from './faults.ts'
import { QuotaSettings } from './quotas.ts'

const TokenRequest = z.strictObject({
  email: Email,
  /** Scope URLs or their last segment (`spreadsheets`). Default: all. */
  scopes: z.union([z.array(z.string()), z.string().transform((text) => text.split(' '))]).optional(),
})
const AccountRequest = z.strictObject({
  email: Email,
  name: z.string().min(1).optional(),
  hd: z.string().min(1).nullable().optional(),
})
const ServiceAccountRequest = z.strictObject({ name: z.string().regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/) })
const Reset = z.strictObject({ spreadsheets: z.boolean().default(false) }).default({ spreadsheets: false })
const LedgerQuery = z.strictObject({
  after: z.coerce.number().int().min(0).optional(),
  spreadsheet_id: z.string().optional(),
  /** Returns only the newest entries, up to this number. */
  last: z.coerce.number().int().min(1).optional(),
})
const controlClient = 'control'

type Deps = {
  identity: Identity
  tokens: Tokens
  control: Control
  books: Books
  publicUrl: string | undefined
}

/** The control API. Hooks of the app restrict it to this machine. */
export function controlRoutes(
  app: FastifyInstance,
  { identity, tokens, control, books, publicUrl }: Deps,
): void {
  app.post('/control/tokens', async (request) => {
    const { email, scopes } = parse(TokenRequest, request.body)
    const token = await tokens.issueAccessToken(identity.account(email), {
      scopes: scopes === undefined ? allScopes : scopes.map(scopeUrl),
      clientId: controlClient,
      grantId: null,
    })
    return { access_token: token.token, token_type: 'Bearer', expires_in: token.expiresInSeconds }
  })

  app.get('/control/accounts', async () => ({ accounts: identity.accounts() }))
  app.post('/control/accounts', async (request) => {
    const { email, ...known } = parse(AccountRequest, request.body)
    return identity.account(email, known)
  })
  app.post('/control/service_accounts', async (request) => {
    const { name } = parse(ServiceAccountRequest, request.body)
    return makeKeyFile(identity, name, rootUrl(request, publicUrl))
  })
  app.post('/control/revoke', async (request) => {
    const { email } = parse(z.strictObject({ email: Email }), request.body)
    identity.revokeAccount(email)
    return {}
  })
  app.put('/control/testing_mode', async (request) => {
    const { enabled } = parse(z.strictObject({ enabled: z.boolean() }), request.body)
    identity.testingMode = enabled
    return { enabled }
  })

  app.get('/control/latency', async () => control.latency)
  app.put('/control/latency', async (request) => {
    control.latency = parse(Latency, request.body)
    return control.latency
  })

  app.get('/control/quotas', async () => ({ ...control.quotas.settings, use: control.quotas.use() }))
  app.put('/control/quotas', async (request) => {
    control.quotas.settings = parse(QuotaSettings, request.body)
    return control.quotas.settings
  })

  app.get('/control/faults', async () => ({ faults: control.faults.list(), kinds: faultMeanings }))
  app.put('/control/faults', async (request) => {
    const { faults, seed } = parse(FaultSettings, request.body)
    control.faults.set(faults, seed)
    return { faults: control.faults.list() }
  })

  app.get('/control/ledger', async (request) => {
    const { after, spreadsheet_id, last } = parse(LedgerQuery, request.query)
    const entries = control.ledger.entries(after, spreadsheet_id)
    return { entries: last === undefined ? entries : entries.slice(-last) }
  })

  app.post('/control/reset', async (request) => {
    const { spreadsheets } = parse(Reset, request.body)
    control.reset()
    identity.testingMode = false
    if (spreadsheets) resetSpreadsheets(books)
    return {}
  })
}

function scopeUrl(scope: string): string {
  const [known] = parseScopes(scope).scopes
  return known ?? parseScopes(`https://www.googleapis.com/auth/${scope}`).scopes[0] ?? scope
}
