import * as oauth from 'openid-client'

/** Revokes a refresh token at Google. Returns false if Google did not confirm it; it may be retried. */
export type Revoke = (refreshToken: string) => Promise<boolean>

type Options = { clientId: string; clientSecret: string; revokeUrl: string }

const TIME_LIMIT_S = 10

/** Google's errors for a token that is no longer valid. */
const ENDED = ['invalid_token', 'invalid_grant']

/** Creates the call for the given address. It never throws. */
export function createRevoke({ clientId, clientSecret, revokeUrl }: Options): Revoke {
  const { origin, protocol } = new URL(revokeUrl)
  const server = { issuer: origin, revocation_endpoint: revokeUrl }
  const config = new oauth.Configuration(server, clientId, clientSecret)
  config.timeout = TIME_LIMIT_S
  // The sandbox uses plain HTTP.
  if (protocol === 'http:') oauth.allowInsecureRequests(config)
  return async (refreshToken) => {
    try {
      await oauth.tokenRevocation(config, refreshToken)
      return true
    } catch (error) {
      return error instanceof oauth.ResponseBodyError && ENDED.includes(error.error)
    }
  }
}
