import type { Kysely } from 'kysely'
import * as oauth from 'openid-client'
import {
  type Access,
  lockGrant,
  markRevoked,
  readGrant,
  replaceRefreshToken,
  saveAccess,
} from '../../../platform/auth/grants.ts'
import type { Keys } from '../../../platform/auth/keys.ts'
import type { Database } from '../../../platform/schema.ts'
import type { ServiceAccount } from '../../../platform/service-account.ts'
import { OriginFailure } from '../../connector.ts'
import { accessOfServiceAccount } from './service-account-access.ts'

/** A user's Google account; without `user_id` the service account. */
export type Account = { user_id: number | null; email: string }

/**
 * Returns an access token. `refused` is a token that Google rejected and that must be replaced. Throws OriginFailure.
 */
export type TokenSource = (account: Account, refused?: string) => Promise<string>

type Options = {
  db: Kysely<Database>
  keys: Keys
  clientId: string
  clientSecret: string
  /** Google's token endpoint. */
  tokenUrl: string
  serviceAccount: ServiceAccount | undefined
}

const TIME_LIMIT_S = 20
// A token that expires this soon might expire before it arrives.
const MARGIN_S = 60

/**
 * Access tokens of connected accounts, valid for at least a minute. A token is fetched once for all processes:
 * fetching locks the grant, which stores the token. A revoked grant is marked and fails with `reconnect`. Tokens of
 * the service account are fetched per process.
 */
export function createTokenSource(options: Options): TokenSource {
  const known = new Map<Account['user_id'], { token: string; good_until: number }>()
  const underWay = new Map<Account['user_id'], Promise<Access>>()
  return async (account, refused) => {
    const access = known.get(account.user_id)
    if (access && access.token !== refused && access.good_until > performance.now()) return access.token
    known.delete(account.user_id)
    let fetching = underWay.get(account.user_id)
    if (!fetching) {
      fetching = obtain(options, account, refused).finally(() => underWay.delete(account.user_id))
      underWay.set(account.user_id, fetching)
    }
    const { token, seconds_left } = await fetching
    known.set(account.user_id, { token, good_until: performance.now() + (seconds_left - MARGIN_S) * 1000 })
    return token
  }
}

async function obtain(options: Options, account: Account, refused: string | undefined): Promise<Access> {
  const { user_id, email } = account
  if (user_id !== null) return obtainFromGrant(options, { user_id, email }, refused)
  if (options.serviceAccount?.email === email)
    return accessOfServiceAccount(options.serviceAccount, options.tokenUrl)
  throw new OriginFailure('reconnect', `The key of the service account ${email} is not here.`)
}

async function obtainFromGrant(
  options: Options,
  account: { user_id: number; email: string },
  refused: string | undefined,
): Promise<Access> {
  const { db, keys } = options
  const outcome = await db.transaction().execute(async (trx) => {
    await lockGrant(trx, account.user_id)
    const read = await readGrant(trx, keys, account.user_id)
    if (!read.ok) return { lost: read.reason }
    const { grant } = read
    const kept = grant.access
    if (kept && kept.token !== refused && kept.seconds_left > MARGIN_S) return { access: kept }
    const reply = await exchange(options, grant.refresh_token)
    if (reply === 'revoked') {
      await markRevoked(trx, grant)
      return { lost: reply }
    }
    const { access, refresh_token = grant.refresh_token } = reply
    if (refresh_token !== grant.refresh_token)
      await replaceRefreshToken(trx, keys, { ...grant, refresh_token })
    await saveAccess(trx, keys, { ...grant, refresh_token }, access)
    return { access }
  })
  // Thrown outside the transaction, so that marking the grant as revoked is not rolled back.
  if (outcome.access === undefined) throw new OriginFailure('reconnect', explain(outcome.lost, account.email))
  return outcome.access
}

async function exchange(
  { clientId, clientSecret, tokenUrl }: Options,
  refreshToken: string,
): Promise<'revoked' | { access: Access; refresh_token: string | undefined }> {
  const { origin, protocol } = new URL(tokenUrl)
  const server = { issuer: origin, token_endpoint: tokenUrl }
  const config = new oauth.Configuration(server, clientId, clientSecret)
  config.timeout = TIME_LIMIT_S
  // The sandbox uses plain HTTP.
  if (protocol === 'http:') oauth.allowInsecureRequests(config)
  try {
    // The response may contain an identity token, which is not needed here.
    const reply = await oauth.genericGrantRequest(config, 'refresh_token', { refresh_token: refreshToken })
    const access = { token: reply.access_token, seconds_left: reply.expires_in ?? 0 }
    return { access, refresh_token: reply.refresh_token }
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') return 'revoked'
    throw new OriginFailure('unavailable', 'Google could not renew the access to the account.', {
      cause: error,
    })
  }
}

function explain(reason: 'none' | 'revoked' | 'unreadable', email: string): string {
  return reason === 'none'
    ? `${email} has not connected a Google account. ${email} has to sign in once.`
    : `The access that ${email} granted was revoked or has ended. ${email} has to sign in again.`
}
