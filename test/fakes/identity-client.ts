import * as oidc from 'openid-client'

export const redirectUri = 'http://127.0.0.1:3999/auth/callback'
export const spreadsheets = 'https://www.googleapis.com/auth/spreadsheets'
export const driveMetadata = 'https://www.googleapis.com/auth/drive.metadata.readonly'

/** Configuration that openid-client discovers from the sandbox. */
export async function discover(root: string) {
  const config = await oidc.discovery(new URL(root), 'rowferry-sandbox', 'sandbox-secret', undefined, {
    execute: [oidc.allowInsecureRequests],
  })
  // Verify the id token's signature with the published keys too.
  oidc.enableNonRepudiationChecks(config)
  return config
}

/** Creates the authorization URL of a sign-in and the handler of its callback. */
export async function beginSignIn(config: oidc.Configuration, parameters: Record<string, string> = {}) {
  const [pkceCodeVerifier, expectedState, expectedNonce] = [
    oidc.randomPKCECodeVerifier(),
    oidc.randomState(),
    oidc.randomNonce(),
  ]
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: `openid email profile ${spreadsheets} ${driveMetadata}`,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    access_type: 'offline',
    ...parameters,
  })
  const finish = (location: string | null) =>
    oidc.authorizationCodeGrant(config, new URL(location ?? ''), {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
    })
  return { url, finish }
}

/** Submits the account chooser's form as a browser does. */
export function choose(url: URL, fields: [string, string][]) {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url.origin },
    body: new URLSearchParams(fields),
  })
}

/** Signs in without the account chooser. */
export async function signIn(
  config: oidc.Configuration,
  email: string,
  parameters: Record<string, string> = {},
) {
  const { url, finish } = await beginSignIn(config, { login_hint: email, ...parameters })
  const response = await fetch(url, { redirect: 'manual' })
  return finish(response.headers.get('location'))
}
