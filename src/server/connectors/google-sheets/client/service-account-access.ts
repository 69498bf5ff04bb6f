import { SignJWT } from 'jose'
import { z } from 'zod'
import { quoted } from '../../../../contract/quoted.ts'
import type { Access } from '../../../platform/auth/grants.ts'
import type { ServiceAccount } from '../../../platform/service-account.ts'
import { OriginFailure } from '../../connector.ts'

const SCOPES = [
  'https://www.googleapis.com/auth/spreadsheets',
  'https://www.googleapis.com/auth/drive.metadata.readonly',
]
const TIME_LIMIT_MS = 20_000

const Reply = z.object({ access_token: z.string().min(1), expires_in: z.number() })
const ErrorReply = z.object({ error: z.string(), error_description: z.string().optional() })

/** Fetches a new access token with an assertion signed by the service account. Throws OriginFailure. */
export async function accessOfServiceAccount(
  { email, key, key_id }: ServiceAccount,
  tokenUrl: string,
): Promise<Access> {
  const assertion = await new SignJWT({ scope: SCOPES.join(' ') })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key_id })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt()
    // One hour is Google's maximum.
    .setExpirationTime('1h')
    .sign(key)
  const { status, body } = await post(tokenUrl, {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
  })
  const reply = Reply.safeParse(body)
  if (status === 200 && reply.success)
    return { token: reply.data.access_token, seconds_left: reply.data.expires_in }
  const error = ErrorReply.safeParse(body)
  if (status < 400 || status >= 500 || !error.success) throw unavailable()
  const reason = error.data.error_description ?? error.data.error
  throw new OriginFailure(
    'reconnect',
    `Google refuses the key of the service account ${email}: ${quoted(reason)}. An administrator has to look at GOOGLE_SERVICE_ACCOUNT_FILE.`,
  )
}

async function post(url: string, form: Record<string, string>): Promise<{ status: number; body: unknown }> {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(form),
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    })
    return { status: reply.status, body: await reply.json() }
  } catch (error) {
    throw unavailable(error)
  }
}

const unavailable = (cause?: unknown) =>
  new OriginFailure('unavailable', 'Google could not renew the access of the service account.', { cause })
