import * as client from 'openid-client'
import { z } from 'zod'
import type { SignInError } from '../../../contract/auth/calls.ts'
import type { Config } from '../config.ts'

const TIMEOUT_SECONDS = 10

/** Without these scopes Rowferry can neither copy nor list spreadsheets; a user may refuse each of them. */
export const DATA_SCOPES = [
  'https://www.googleapis.com/auth/spreadsheets',
  'https://www.googleapis.com/auth/drive.metadata.readonly',
]
const SCOPES = ['openid', 'email', 'profile', ...DATA_SCOPES]

/** Values of one sign-in, known only to the browser that started it. */
export type Secrets = { state: string; nonce: string; verifier: string }

/** The user, by the provider's signed statement, and what they granted. */
export type Identity = {
  issuer: string
  subject: string
  email: string
  email_verified: boolean
  name: string
  picture: string | null
  hosted_domain: string | null
  scopes: string[]
  /** Absent if the provider issued one at an earlier consent. */
  refresh_token: string | undefined
}

/** A failed sign-in; `reason` is shown to the user. */
export class SignInFailure extends Error {
  override name = 'SignInFailure'
  readonly reason: SignInError
  constructor(reason: SignInError, cause?: unknown) {
    super(`Sign-in failed: ${reason}`, { cause })
    this.reason = reason
  }
}

export type OpenId = {
  /** The address to redirect the browser to. Throws SignInFailure `unavailable` if the provider does not respond. */
  begin(options: {
    login_hint?: string | undefined
    consent: boolean
  }): Promise<{ url: string; secrets: Secrets }>
  /** Exchanges the parameters of the provider's callback. Throws SignInFailure. */
  finish(query: string, secrets: Secrets): Promise<Identity>
}

const Claims = z.object({
  iss: z.string(),
  sub: z.string(),
  email: z.string(),
  email_verified: z.boolean().default(false),
  name: z.string().optional(),
  picture: z.string().optional(),
  hd: z.string().optional(),
})

/** The provider named by `config`. Its metadata is fetched at the first sign-in, and again until that succeeds. */
export function createOpenId(config: Pick<Config, 'google' | 'publicUrl'>): OpenId {
  const { issuer, clientId, clientSecret } = config.google
  const redirect_uri = `${config.publicUrl}/auth/callback`
  let known: client.Configuration | undefined

  const discover = async () => {
    const server = new URL(issuer)
    // Plain http would expose tokens to the network, except on the loopback address.
    const execute = isLoopback(server) ? [client.allowInsecureRequests] : []
    known ??= await client.discovery(server, clientId, clientSecret, undefined, {
      execute: [...execute, client.enableNonRepudiationChecks],
      timeout: TIMEOUT_SECONDS,
    })
    return known
  }

  return {
    begin: async ({ login_hint, consent }) => {
      const provider = await discover().catch((cause: unknown) => {
        throw new SignInFailure('unavailable', cause)
      })
      const secrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      // Without a hint, let the user choose an account.
      const prompt = consent ? 'consent' : login_hint ? undefined : 'select_account'
      const url = client.buildAuthorizationUrl(provider, {
        redirect_uri,
        scope: SCOPES.join(' '),
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
        access_type: 'offline',
        ...(prompt && { prompt }),
        ...(login_hint && { login_hint }),
      })
      // With another loopback name, the provider would be another site and ask for the account again.
      const own = new URL(config.publicUrl)
      if (isLoopback(own) && isLoopback(url)) url.hostname = own.hostname
      return { url: url.href, secrets }
    },

    finish: async (query, secrets) => {
      const callback = new URL(redirect_uri)
      callback.search = query
      // The response belongs to another browser or an older attempt.
      if (callback.searchParams.get('state') !== secrets.state) throw new SignInFailure('expired')
      try {
        const provider = await discover()
        const tokens = await client.authorizationCodeGrant(provider, callback, {
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          pkceCodeVerifier: secrets.verifier,
          idTokenExpected: true,
        })
        const { iss, sub, email, email_verified, name, picture, hd } = Claims.parse(tokens.claims())
        return {
          issuer: iss,
          subject: sub,
          email: email.toLowerCase(),
          email_verified,
          name: name ?? email,
          picture: picture ?? null,
          hosted_domain: hd ?? null,
          // A provider that grants exactly the requested scopes may omit them.
          scopes: tokens.scope?.split(' ') ?? SCOPES,
          refresh_token: tokens.refresh_token,
        }
      } catch (cause) {
        throw new SignInFailure(reasonOf(cause), cause)
      }
    },
  }
}

function reasonOf(error: unknown): SignInError {
  if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied')
    return 'cancelled'
  if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return 'expired'
  return 'unavailable'
}

function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
}
