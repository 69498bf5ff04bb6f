import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { missingCredentials } from './api-call.ts'
import { type ApiMethod, apiMethodOf } from './control/api-method.ts'
import type { Control } from './control/control.ts'
import type { Fault } from './control/faults.ts'
import {
  injectRequestFault,
  injectResponseFault,
  invalidCredentials,
  waitLatency,
} from './control/inject-fault.ts'
import { withLoadingCells } from './control/loading-cells.ts'
import { delivered, pacedUpload } from './control/transfer.ts'
import { GoogleError } from './google-error.ts'
import type { Identity } from './identity/identity.ts'
import { driveReadScopes, driveWriteScopes, sheetsReadScopes, sheetsWriteScopes } from './identity/scopes.ts'
import type { Tokens } from './identity/tokens.ts'

type Deps = { identity: Identity; tokens: Tokens; control: Control; now: () => Date }

type Call = { method: ApiMethod; email: string; at: Date; fault: Fault | undefined }

/**
 * Processing of an API request: bearer token, scopes, quota, latency, faults, handler, ledger. Quota is counted on arrival, before
 * any latency, so that clients can predict it from the time they send the request.
 */
export function apiPipeline(app: FastifyInstance, api: 'sheets' | 'drive', deps: Deps): void {
  const calls = new WeakMap<FastifyRequest, Call>()

  app.addHook('onRequest', async (request, reply) => {
    const method = apiMethodOf(request.method, request.url)
    const { email, scopes } = await authenticate(request, reply, deps.tokens)
    request.caller = { email, scopes }
    const { kind, spreadsheetId } = method
    request.record = { spreadsheet_id: spreadsheetId, ranges: [], cells: 0, applied: false, kind }
    calls.set(request, { method, email, at: deps.now(), fault: undefined })
    requireScope(api, kind, scopes)
    if (api === 'sheets') deps.control.quotas.spend(kind, email)
  })

  app.addHook('preParsing', async (_request, reply, payload) => {
    const { latency } = deps.control
    return latency.ms_per_mb === 0 ? payload : pacedUpload(payload, latency, reply)
  })

  app.addHook('preHandler', async (request, reply) => {
    const call = calls.get(request)
    if (call === undefined) return
    await waitLatency(deps.control.latency, reply)
    const { kind, spreadsheetId, name } = call.method
    const target = { kind, account: call.email, spreadsheetId, method: request.method, apiMethod: name }
    for (const fault of deps.control.faults.take(target)) {
      if (fault.kind === 'latency') await waitLatency(fault, reply)
      else call.fault = fault
    }
    if (call.fault === undefined) return
    const revoke = () => deps.identity.revokeAccount(call.email)
    const outcome = await injectRequestFault(call.fault, { request, reply, revoke })
    if (outcome === 'dropped') record(request, call, 0)
    if (outcome !== 'passed') return reply
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const call = calls.get(request)
    if (call === undefined) return payload
    const { fault } = call
    if (payload instanceof Readable && fault === undefined && !deps.control.faults.isOn('stale-reads')) {
      record(request, call, reply.statusCode)
      return delivered(payload, deps.control.latency, { request, reply })
    }
    let body = await wholeOf(payload)
    if (reply.statusCode === 200 && fault?.kind !== 'html') body = distort(request, call, body)
    const silent = fault?.kind === 'execute-then-timeout' || fault?.kind === 'execute-then-reset'
    record(request, call, silent ? 0 : reply.statusCode)
    if (fault !== undefined) return injectResponseFault(fault, body, { request, reply })
    return delivered(body, deps.control.latency, { request, reply })
  })

  /**
   * Applies the two faults that depend on the reply body. A fault that does not apply to this reply is returned for the next
   * request.
   */
  function distort(request: FastifyRequest, call: Call, body: Buffer): Buffer {
    const { staleReads, faults } = deps.control
    const { kind, spreadsheetId } = call.method
    if (spreadsheetId === null || api !== 'sheets') return body
    if (kind === 'write') {
      if (request.record?.applied) staleReads.wrote(spreadsheetId)
      return body
    }
    const { fault } = call
    const stale = fault?.kind === 'stale-reads' ? staleReads.before(request.url) : undefined
    const loading = fault?.kind === 'loading-cells' ? withLoadingCells(body.toString()) : undefined
    const distorted = stale ?? (loading === undefined ? undefined : Buffer.from(loading))
    const missed =
      distorted === undefined && (fault?.kind === 'stale-reads' || fault?.kind === 'loading-cells')
    if (missed) faults.giveBack(fault)
    if (stale === undefined && faults.isOn('stale-reads'))
      staleReads.remember(request.url, spreadsheetId, body)
    return distorted ?? body
  }

  function record(request: FastifyRequest, call: Call, status: number): void {
    if (api !== 'sheets' || request.record === null) return
    const { spreadsheet_id, ranges, cells, applied, kind } = request.record
    deps.control.ledger.record({
      at: call.at.toISOString(),
      account: call.email,
      user_agent: request.headers['user-agent'] ?? '',
      kind,
      method: request.method,
      path: request.url.split('?', 1)[0] ?? '',
      spreadsheet_id,
      ranges,
      cells,
      status,
      applied,
    })
  }
}

/** Buffers the payload of a reply. */
async function wholeOf(payload: unknown): Promise<Buffer> {
  if (payload instanceof Readable) return Buffer.concat(await payload.toArray())
  if (Buffer.isBuffer(payload)) return payload
  return Buffer.from(typeof payload === 'string' ? payload : '')
}

async function authenticate(request: FastifyRequest, reply: FastifyReply, tokens: Tokens) {
  const { authorization } = request.headers
  if (authorization === undefined) throw missingCredentials()
  const bearer = /^Bearer (.+)$/i.exec(authorization)?.[1]
  const access = bearer === undefined ? undefined : await tokens.readAccessToken(bearer)
  if (access === undefined) {
    reply.header('www-authenticate', 'Bearer realm="https://accounts.google.com/", error="invalid_token"')
    throw invalidCredentials()
  }
  return { email: access.account.email, scopes: access.scopes }
}

function requireScope(api: 'sheets' | 'drive', kind: 'read' | 'write', granted: string[]): void {
  const enough =
    api === 'sheets'
      ? kind === 'read'
        ? sheetsReadScopes
        : sheetsWriteScopes
      : kind === 'read'
        ? driveReadScopes
        : driveWriteScopes
  if (granted.some((scope) => enough.includes(scope))) return
  const service = `${api}.googleapis.com`
  throw new GoogleError(403, 'PERMISSION_DENIED', 'Request had insufficient authentication scopes.', [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
      domain: 'googleapis.com',
      metadata: { service },
    },
  ])
}
