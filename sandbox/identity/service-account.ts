import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { z } from 'zod'
import { rootUrl } from '../root-url.ts'
import type { Identity } from './identity.ts'
import { OAuthError } from './oauth-error.ts'
import { parseScopes } from './scopes.ts'
import type { Tokens } from './tokens.ts'

/** Grant type for exchanging a signed assertion for an access token. */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

const PROJECT = 'rowferry-sandbox'
const MAX_LIFETIME_S = 3600
// Tolerated clock difference in seconds.
const TOLERANCE_S = 60

/** Creates a key file of a service account in the format of Google's console, and the account if it is missing. */
export function makeKeyFile(identity: Identity, name: string, root: string) {
  const client_email = `${name}@${PROJECT}.iam.gserviceaccount.com`
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const private_key_id = randomBytes(20).toString('hex')
  identity.addServiceKey({ email: client_email, id: private_key_id, public_key: publicKey })
  return {
    type: 'service_account',
    project_id: PROJECT,
    private_key_id,
    private_key: privateKey,
    client_email,
    client_id: identity.account(client_email).sub,
    token_uri: `${root}/token`,
  }
}

const Claims = z.object({
  iss: z.string().toLowerCase(),
  scope: z.string(),
  iat: z.number(),
  exp: z.number(),
})

type Deps = { identity: Identity; tokens: Tokens; now: () => Date; publicUrl: string | undefined }

/** Issues an access token for a signed assertion. Throws OAuthError `invalid_grant` or `invalid_scope`. */
export async function tokenOfServiceAccount(assertion: string, request: FastifyRequest, deps: Deps) {
  const { iss, kid } = readIssuer(assertion)
  if (!deps.identity.isServiceAccount(iss)) throw invalidGrant('Invalid grant: account not found')
  const pem = deps.identity.findServiceKey(iss, kid)
  const root = rootUrl(request, deps.publicUrl)
  const verified =
    pem &&
    (await jwtVerify(assertion, createPublicKey(pem), {
      algorithms: ['RS256'],
      audience: [`${root}/token`, `${root}/oauth2/v4/token`],
      currentDate: deps.now(),
      clockTolerance: TOLERANCE_S,
    }).catch(() => undefined))
  if (!verified) throw invalidGrant('Invalid JWT Signature.')
  const claims = Claims.safeParse(verified.payload)
  const now = deps.now().getTime() / 1000
  if (
    !claims.success ||
    claims.data.iat > now + TOLERANCE_S ||
    claims.data.exp > now + MAX_LIFETIME_S + TOLERANCE_S
  )
    throw invalidGrant(
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
    )
  const { scopes, unknown } = parseScopes(claims.data.scope)
  if (scopes.length === 0 || unknown.length > 0)
    throw new OAuthError(400, 'invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
  const account = deps.identity.account(iss)
  const issued = await deps.tokens.issueAccessToken(account, { scopes, clientId: account.sub, grantId: null })
  return { access_token: issued.token, expires_in: issued.expiresInSeconds, token_type: 'Bearer' }
}

function readIssuer(assertion: string): { iss: string; kid: string | undefined } {
  try {
    const { iss } = z.object({ iss: z.string().toLowerCase() }).parse(decodeJwt(assertion))
    return { iss, kid: decodeProtectedHeader(assertion).kid }
  } catch {
    throw new OAuthError(400, 'invalid_request', 'Bad Request')
  }
}

const invalidGrant = (description: string) => new OAuthError(400, 'invalid_grant', description)
