import { createHash, createPublicKey, randomUUID } from 'node:crypto'
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Account } from './accounts.ts'
import type { Identity } from './identity.ts'

const lifetimeSeconds = 3599
const accessTokenPrefix = 'ya29.'
/** Maximum number of cached tokens, about 500 bytes each. */
const KNOWN_TOKENS = 1_000

const AccessClaims = z.object({
  sub: z.string(),
  scope: z.string(),
  epoch: z.number(),
  grant: z.string().nullable(),
  client: z.string(),
  exp: z.number(),
})
type AccessClaims = z.infer<typeof AccessClaims>

export type AccessToken = {
  account: Account
  scopes: string[]
  grantId: string | null
  clientId: string
  expiresAt: Date
}

/** Issues and verifies access tokens (signed, so that they survive a restart) and id tokens (RS256). */
export class Tokens {
  readonly #identity: Identity
  readonly #now: () => Date
  /** Claims of tokens with a verified signature. Verification costs more than many requests. */
  readonly #known = new Map<string, AccessClaims>()
  #key: Promise<{ pem: string; kid: string }> | undefined

  constructor(identity: Identity, now: () => Date) {
    this.#identity = identity
    this.#now = now
  }

  /** Issues a bearer token. A token without a grant (from the control API) is valid until the account is revoked. */
  async issueAccessToken(
    account: Account,
    options: { scopes: string[]; clientId: string; grantId: string | null },
  ) {
    const { scopes, clientId, grantId } = options
    const claims = { scope: scopes.join(' '), epoch: account.epoch, grant: grantId, client: clientId }
    const jwt = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(account.email)
      // Like Google, never issues the same token twice, not even within one second.
      .setJti(randomUUID())
      .setExpirationTime(this.#seconds() + lifetimeSeconds)
      .sign(this.#identity.secret)
    return { token: accessTokenPrefix + jwt, expiresInSeconds: lifetimeSeconds }
  }

  /** Verifies a bearer token; undefined if it is forged, expired or revoked. */
  async readAccessToken(token: string): Promise<AccessToken | undefined> {
    if (!token.startsWith(accessTokenPrefix)) return undefined
    const claims = this.#known.get(token) ?? (await this.#verify(token))
    if (claims === undefined || claims.exp <= this.#seconds()) return undefined
    const account = this.#identity.findAccount(claims.sub)
    if (account === undefined || account.epoch !== claims.epoch) return undefined
    if (claims.grant !== null && this.#identity.grant(claims.grant) === undefined) return undefined
    return {
      account,
      scopes: claims.scope.split(' '),
      grantId: claims.grant,
      clientId: claims.client,
      expiresAt: new Date(claims.exp * 1000),
    }
  }

  /** Issues the id token for an access token. As at Google, its claims depend on the granted scopes. */
  async issueIdToken(
    account: Account,
    options: {
      issuer: string
      clientId: string
      scopes: string[]
      accessToken: string
      nonce?: string | undefined
    },
  ): Promise<string> {
    const { pem, kid } = await this.#signingKey()
    const digest = createHash('sha256').update(options.accessToken).digest()
    return new SignJWT({
      azp: options.clientId,
      ...claimsOf(account, options.scopes),
      at_hash: digest.subarray(0, 16).toString('base64url'),
      ...(options.nonce === undefined ? {} : { nonce: options.nonce }),
    })
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
      .setIssuer(options.issuer)
      .setAudience(options.clientId)
      .setIssuedAt(this.#seconds())
      .setExpirationTime(this.#seconds() + 3600)
      .sign(await importPKCS8(pem, 'RS256'))
  }

  /** The public key as a JWK and as PEM. */
  async publicKey() {
    const { pem, kid } = await this.#signingKey()
    const key = createPublicKey(pem)
    return {
      kid,
      jwk: { ...(await exportJWK(key)), kid, use: 'sig', alg: 'RS256' },
      pem: key.export({ type: 'spki', format: 'pem' }).toString(),
    }
  }

  async #verify(token: string): Promise<AccessClaims | undefined> {
    const verified = await jwtVerify(token.slice(accessTokenPrefix.length), this.#identity.secret, {
      currentDate: this.#now(),
      algorithms: ['HS256'],
    }).catch(() => undefined)
    if (verified === undefined) return undefined
    const claims = AccessClaims.parse(verified.payload)
    if (this.#known.size === KNOWN_TOKENS) this.#known.clear()
    this.#known.set(token, claims)
    return claims
  }

  #signingKey(): Promise<{ pem: string; kid: string }> {
    // Created on first use, because RSA key generation is slow and most tests never sign in.
    this.#key ??= this.#loadSigningKey()
    return this.#key
  }

  async #loadSigningKey(): Promise<{ pem: string; kid: string }> {
    let pem = this.#identity.signingKey
    if (pem === null) {
      const pair = await generateKeyPair('RS256', { extractable: true })
      pem = await exportPKCS8(pair.privateKey)
      this.#identity.setSigningKey(pem)
    }
    return { pem, kid: createHash('sha1').update(pem).digest('hex') }
  }

  #seconds(): number {
    return Math.floor(this.#now().getTime() / 1000)
  }
}

/** Claims of userinfo and id token for the granted scopes. */
export function claimsOf(account: Account, scopes: string[]): Record<string, string | boolean> {
  const [given = account.name, ...family] = account.name.split(' ')
  const mail = scopes.some((scope) => scope.endsWith('/userinfo.email'))
  const profile = scopes.some((scope) => scope.endsWith('/userinfo.profile'))
  return {
    sub: account.sub,
    ...(account.hd === null ? {} : { hd: account.hd }),
    ...(mail ? { email: account.email, email_verified: true } : {}),
    ...(profile
      ? {
          name: account.name,
          given_name: given,
          ...(family.length > 0 ? { family_name: family.join(' ') } : {}),
        }
      : {}),
  }
}
