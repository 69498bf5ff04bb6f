import * as oauth from 'openid-client'

/** Tells Google that a refresh token is to end. False when Google did not say that it has; then it may be told again. */
export type Revoke = (refreshToken: string) => Promise<boolean>

type Options = { clientId: string; clientSecret: string; revokeUrl: string }

const TIME_LIMIT_S = 10

/** Google's errors for a token that has ended already. */
const ENDED = ['invalid_token', 'invalid_grant']

/** Revocation at the given address. Never throws. */
export function createRevoke({ clientId, clientSecret, revokeUrl }: Options): Revoke {
  const { origin, protocol } = new URL(revokeUrl)
  const server = { issuer: origin, revocation_endpoint: revokeUrl }
  const config = new oauth.Configuration(server, clientId, clientSecret)
  config.timeout = TIME_LIMIT_S
  // Only a stand-in on this machine speaks plain http.
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
