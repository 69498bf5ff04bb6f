import * as client from 'openid-client'
import { z } from 'zod'
import type { SignInError } from '../../../contract/auth.ts'
import type { Config } from '../config.ts'

const TIMEOUT_SECONDS = 10

/** Without these Rowferry can neither copy nor list spreadsheets; a person may withhold each of them. */
export const DATA_SCOPES = [
  'https://www.googleapis.com/auth/spreadsheets',
  'https://www.googleapis.com/auth/drive.metadata.readonly',
]
const SCOPES = ['openid', 'email', 'profile', ...DATA_SCOPES]

/** Values of one sign-in that only the browser which began it knows. */
export type Secrets = { state: string; nonce: string; verifier: string }

/** Who signed in, by the provider's signed word, and what they granted. */
export type Identity = {
  issuer: string
  subject: string
  email: string
  email_verified: boolean
  name: string
  picture: string | null
  hosted_domain: string | null
  scopes: string[]
  /** Absent where the provider gave one at an earlier consent. */
  refresh_token: string | undefined
}

/** A sign-in that did not end well; `reason` is what the person is told. */
export class SignInFailure extends Error {
  override name = 'SignInFailure'
  readonly reason: SignInError
  constructor(reason: SignInError, cause?: unknown) {
    super(`Sign-in failed: ${reason}`, { cause })
    this.reason = reason
  }
}

export type OpenId = {
  /** Where to send the browser. Throws SignInFailure `unavailable` when the provider does not answer. */
  begin(options: {
    login_hint?: string | undefined
    consent: boolean
  }): Promise<{ url: string; secrets: Secrets }>
  /** Redeems what the browser brought back from the provider (the query of the callback). Throws SignInFailure. */
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

/** The provider that `config` names. It is asked for its addresses at the first sign-in, and again until it answers. */
export function createOpenId(config: Pick<Config, 'google' | 'publicUrl'>): OpenId {
  const { issuer, clientId, clientSecret } = config.google
  const redirect_uri = `${config.publicUrl}/auth/callback`
  let known: client.Configuration | undefined

  const discover = async () => {
    const server = new URL(issuer)
    // Plain http would show tokens to the network; on this machine there is none in between.
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
      // Without a hint the person may want another account than the browser's first.
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
      // Under another of this machine's names it would be another site, behind whose links a provider asks who one is.
      const own = new URL(config.publicUrl)
      if (isLoopback(own) && isLoopback(url)) url.hostname = own.hostname
      return { url: url.href, secrets }
    },

    finish: async (query, secrets) => {
      const callback = new URL(redirect_uri)
      callback.search = query
      // Another browser's or an older answer, whatever else it says.
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
          // A provider that grants just what was asked need not repeat it.
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
