import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { rootUrl } from '../root-url.ts'
import type { PendingCode } from './authorize.ts'
import type { Identity } from './identity.ts'
import { OAuthError } from './oauth-error.ts'
import { JWT_BEARER, tokenOfServiceAccount } from './service-account.ts'
import { claimsOf, type Tokens } from './tokens.ts'

const ownClient = { id: 'rowferry-sandbox', secret: 'sandbox-secret' }

const TokenForm = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    code: z.string(),
    redirect_uri: z.string().optional(),
    code_verifier: z.string().optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    refresh_token: z.string(),
    scope: z.string().optional(),
  }),
  z.object({ grant_type: z.literal(JWT_BEARER), assertion: z.string() }),
])
const ClientForm = z.object({ client_id: z.string().optional(), client_secret: z.string().optional() })
const TokenParameter = z.object({ token: z.string() })
const TokenInfoQuery = z.object({ access_token: z.string() })

type Deps = {
  identity: Identity
  tokens: Tokens
  codes: Map<string, PendingCode>
  now: () => Date
  publicUrl: string | undefined
}

const revoked = () => new OAuthError(400, 'invalid_grant', 'Token has been expired or revoked.')

/** Token, revocation, token info and user info endpoints. */
export async function tokenRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof OAuthError) {
      return reply.code(error.code).send({ error: error.error, error_description: error.message })
    }
    if (error instanceof z.ZodError) {
      const missing = error.issues[0]?.path.join('.')
      const kind = missing === 'grant_type' ? 'unsupported_grant_type' : 'invalid_request'
      return reply
        .code(400)
        .send({ error: kind, error_description: `Missing or invalid parameter: ${missing}` })
    }
    throw error
  })
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })

  for (const url of ['/token', '/oauth2/v4/token']) {
    app.post(url, async (request) => {
      const form = TokenForm.parse(request.body)
      if (form.grant_type === JWT_BEARER) return tokenOfServiceAccount(form.assertion, request, deps)
      const clientId = authenticateClient(request)
      return form.grant_type === 'refresh_token'
        ? refresh(form.refresh_token, clientId, request, deps)
        : exchange(form, clientId, request, deps)
    })
  }

  for (const url of ['/revoke', '/o/oauth2/revoke']) {
    app.post(url, async (request, reply) => {
      const inQuery = TokenParameter.safeParse(request.query)
      const { token } = inQuery.success ? inQuery.data : TokenParameter.parse(request.body)
      const access = await deps.tokens.readAccessToken(token)
      const grantId = access?.grantId ?? deps.identity.findByRefreshToken(token, deps.now())?.id
      if (access !== undefined && access.grantId === null) deps.identity.revokeAccount(access.account.email)
      else if (grantId === undefined) throw new OAuthError(400, 'invalid_token', 'Token expired or revoked')
      else deps.identity.revokeGrant(grantId)
      return reply.send({})
    })
  }

  for (const url of ['/v1/userinfo', '/oauth2/v3/userinfo']) {
    app.route({ method: ['GET', 'POST'], url, handler: (request, reply) => userInfo(request, reply, deps) })
  }

  for (const url of ['/tokeninfo', '/oauth2/v3/tokeninfo']) {
    app.route({
      method: ['GET', 'POST'],
      url,
      handler: async (request) => {
        const inQuery = TokenInfoQuery.safeParse(request.query)
        const token = inQuery.success ? inQuery.data.access_token : bearerOf(request)
        const access = token === undefined ? undefined : await deps.tokens.readAccessToken(token)
        if (access === undefined) throw new OAuthError(400, 'invalid_token', 'Invalid Value')
        const seconds = Math.floor(access.expiresAt.getTime() / 1000)
        return {
          azp: access.clientId,
          aud: access.clientId,
          sub: access.account.sub,
          scope: access.scopes.join(' '),
          exp: String(seconds),
          expires_in: String(seconds - Math.floor(deps.now().getTime() / 1000)),
          email: access.account.email,
          email_verified: 'true',
          access_type: 'offline',
        }
      },
    })
  }
}

async function exchange(
  form: { code: string; redirect_uri?: string | undefined; code_verifier?: string | undefined },
  clientId: string,
  request: FastifyRequest,
  deps: Deps,
) {
  const pending = deps.codes.get(form.code)
  deps.codes.delete(form.code)
  if (pending === undefined || pending.expiresAt < deps.now().getTime()) {
    throw new OAuthError(400, 'invalid_grant', 'Malformed auth code.')
  }
  if (pending.clientId !== clientId) throw new OAuthError(401, 'unauthorized_client', 'Unauthorized')
  if (pending.redirectUri !== form.redirect_uri)
    throw new OAuthError(400, 'redirect_uri_mismatch', 'Bad Request')
  if (!verifierMatches(pending.challenge, form.code_verifier)) {
    const description = form.code_verifier === undefined ? 'Missing code verifier.' : 'Invalid code verifier.'
    throw new OAuthError(400, 'invalid_grant', description)
  }
  const grant = deps.identity.grant(pending.grantId)
  if (grant === undefined) throw revoked()
  const refreshToken = pending.offline ? deps.identity.issueRefreshToken(grant, deps.now()) : undefined
  const tokens = await tokenReply(pending, request, deps)
  return {
    ...tokens,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken.token }),
    ...(refreshToken?.expiresInSeconds ? { refresh_token_expires_in: refreshToken.expiresInSeconds } : {}),
  }
}

function refresh(refreshToken: string, clientId: string, request: FastifyRequest, deps: Deps) {
  const grant = deps.identity.findByRefreshToken(refreshToken, deps.now())
  if (grant === undefined) throw revoked()
  if (grant.client_id !== clientId) throw new OAuthError(401, 'unauthorized_client', 'Unauthorized')
  return tokenReply({ email: grant.email, clientId, scopes: grant.scopes, grantId: grant.id }, request, deps)
}

async function tokenReply(
  granted: { email: string; clientId: string; scopes: string[]; grantId: string; nonce?: string | undefined },
  request: FastifyRequest,
  deps: Deps,
) {
  const account = deps.identity.account(granted.email)
  const { token, expiresInSeconds } = await deps.tokens.issueAccessToken(account, granted)
  const idToken = granted.scopes.includes('openid')
    ? await deps.tokens.issueIdToken(account, {
        issuer: rootUrl(request, deps.publicUrl),
        clientId: granted.clientId,
        scopes: granted.scopes,
        accessToken: token,
        nonce: granted.nonce,
      })
    : undefined
  return {
    access_token: token,
    expires_in: expiresInSeconds,
    scope: granted.scopes.join(' '),
    token_type: 'Bearer',
    ...(idToken === undefined ? {} : { id_token: idToken }),
  }
}

async function userInfo(request: FastifyRequest, reply: FastifyReply, deps: Deps) {
  const bearer = bearerOf(request)
  const access = bearer === undefined ? undefined : await deps.tokens.readAccessToken(bearer)
  if (access === undefined) {
    reply.header('www-authenticate', 'Bearer realm="https://accounts.google.com/", error=invalid_token')
    throw new OAuthError(401, 'invalid_request', 'Invalid Credentials')
  }
  return claimsOf(access.account, access.scopes)
}

function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** Authenticates the client of a token request by form fields or HTTP Basic. Throws invalid_client. */
function authenticateClient(request: FastifyRequest): string {
  const form = ClientForm.parse(request.body)
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const [id, secret] =
    basic === undefined
      ? [form.client_id, form.client_secret]
      : Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent)
  const known = id !== ownClient.id || secret === ownClient.secret
  if (!id || !secret) throw new OAuthError(400, 'invalid_request', 'client_secret is missing.')
  if (!known) throw new OAuthError(401, 'invalid_client', 'Unauthorized')
  return id
}

function verifierMatches(challenge: PendingCode['challenge'], verifier: string | undefined): boolean {
  if (challenge === undefined) return verifier === undefined
  if (verifier === undefined) return false
  const computed =
    challenge.method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  const [a, b] = [Buffer.from(computed), Buffer.from(challenge.value)]
  return a.length === b.length && timingSafeEqual(a, b)
}
