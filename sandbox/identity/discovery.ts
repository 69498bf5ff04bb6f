import type { FastifyInstance } from 'fastify'
import { rootUrl } from '../root-url.ts'
import { allScopes } from './scopes.ts'
import { JWT_BEARER } from './service-account.ts'
import type { Tokens } from './tokens.ts'

/** OpenID discovery document, and the signing key as JWK set and as PEM by key id. */
export function discoveryRoutes(
  app: FastifyInstance,
  deps: { tokens: Tokens; publicUrl: string | undefined },
): void {
  app.get('/.well-known/openid-configuration', async (request) => {
    const root = rootUrl(request, deps.publicUrl)
    return {
      issuer: root,
      authorization_endpoint: `${root}/o/oauth2/v2/auth`,
      token_endpoint: `${root}/token`,
      userinfo_endpoint: `${root}/v1/userinfo`,
      revocation_endpoint: `${root}/revoke`,
      jwks_uri: `${root}/oauth2/v3/certs`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'email', 'profile', ...allScopes.filter((scope) => scope !== 'openid')],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      claims_supported: [
        'aud',
        'email',
        'email_verified',
        'exp',
        'family_name',
        'given_name',
        'hd',
        'iat',
        'iss',
        'name',
        'sub',
      ],
      code_challenge_methods_supported: ['plain', 'S256'],
      grant_types_supported: ['authorization_code', 'refresh_token', JWT_BEARER],
    }
  })
  app.get('/oauth2/v3/certs', async () => ({ keys: [(await deps.tokens.publicKey()).jwk] }))
  app.get('/oauth2/v1/certs', async () => {
    const { kid, pem } = await deps.tokens.publicKey()
    return { [kid]: pem }
  })
}
