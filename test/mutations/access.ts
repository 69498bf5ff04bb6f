// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text
import { mutationsOf } from './mutation.ts'

export const accessMutations = [
  ...mutationsOf('src/server/platform', {
    'access: without allowlists every user is admitted to a production server': [
      "mode === 'sandbox' && !allowedEmails.length && !allowedDomains.length",
      '!allowedEmails.length && !allowedDomains.length',
      'auth/admission.test.ts',
    ],
    'access: the domain of the address counts as the hosted domain': [
      '(person.hosted_domain !== null && lists.allowedDomains.includes(person.hosted_domain.toLowerCase()))',
      "lists.allowedDomains.includes(person.email.split('@')[1]?.toLowerCase() ?? '')",
      'auth/admission.test.ts',
    ],
    'access: an expired session is valid': [
      'and s.expires_at > now()\n      and u.disabled_at is null',
      'and u.disabled_at is null',
      'features/auth/session.test.ts',
      'auth/sessions.test.ts',
    ],
    'access: the session of a disabled user is valid': [
      'and s.expires_at > now()\n      and u.disabled_at is null',
      'and s.expires_at > now()',
      'features/auth/session.test.ts',
    ],
    'access: a session is prolonged beyond seven days': [
      'sql`least(created_at + ${longest}, now() + ${idle})`',
      'sql`now() + ${idle}`',
      'features/auth/session.test.ts',
    ],
    'access: an expired token is valid': [
      "    .where('t.expires_at', '>', sql<Date>`now()`)\n",
      '',
      'features/tokens/tokens.test.ts',
    ],
    'access: a token is valid although its owner is no longer admitted': [
      "  if (!row || !mayEnter(row, entry)) return undefined\n  if (row.stale)\n    await db\n      .updateTable('api_tokens')",
      "  if (!row) return undefined\n  if (row.stale)\n    await db\n      .updateTable('api_tokens')",
      'features/tokens/tokens.test.ts',
    ],
    'access: a token exceeds its right': [
      'if (options.indexOf(right) < options.indexOf(needed))',
      'if (options.indexOf(right) > options.indexOf(needed))',
      'features/tokens/tokens.test.ts',
      'server/rights.test.ts',
    ],
    'access: every signed-in user is an administrator': [
      "if (access === 'admin' && !session?.user.is_admin) throw new NamedError('not_allowed')",
      '',
      'features/users/users.test.ts',
      'features/dev-logs/dev-logs.test.ts',
    ],
    'access: a change needs no anti-forgery token': [
      "if (request.method !== 'GET' && request.method !== 'HEAD') refuseForgery(request)",
      '',
      'http/guard.test.ts',
    ],
    'access: a cross-site request is accepted': [
      "return site === 'cross-site' || site === 'same-site'",
      "return site === 'cross-site'",
      'http/guard.test.ts',
    ],
    'access: sign-in redirects to another site': [
      "if (led?.origin !== BASE || read.startsWith('//') || led.pathname.startsWith('//')) return undefined",
      '',
      'auth/return-path.test.ts',
    ],
    'access: a sign-in attempt never expires': [
      'return now().getTime() - attempt.begun_at < LIFETIME_SECONDS * 1000 ? attempt : undefined',
      'return now() ? attempt : undefined',
      'features/auth/sign-in.test.ts',
    ],
    "access: the grant of one user opens as another user's": [
      'const contextOf = (user_id: number) => `grant of user ${user_id}`',
      "const contextOf = (_user_id: number) => 'grant of user'",
      'auth/grants.test.ts',
      'features/auth/secrets.test.ts',
    ],
    'access: a newer grant is marked as revoked': [
      "    .where('refresh_token', '=', grant.sealed)\n",
      '',
      'auth/grants.test.ts',
      'client/tokens.test.ts',
    ],
  }),
  ...mutationsOf('src/server/mcp', {
    'access: a text of a sheet leaves its delimiters': [
      "(sign) => ESCAPES[sign] ?? ''",
      '(sign) => sign',
      'mcp/hidden-instructions.test.ts',
    ],
    'access: a page of another site talks to the endpoint of agents': [
      "if (!is_own) throw new NamedError('origin_foreign')",
      '',
      'mcp/mcp.test.ts',
    ],
    'access: an agent sees the tools of every right': [
      'tools.filter((tool) => Right.options.indexOf(tool.right) <= Right.options.indexOf(right))',
      'tools.filter((tool) => Right.options.indexOf(tool.right) <= Right.options.indexOf(right) || right)',
      'mcp/mcp.test.ts',
    ],
  }),
  ...mutationsOf('src/server/features', {
    "access: one user revokes another one's token": [
      "      .where('user_id', '=', actor.id)\n      .returning('name')",
      "      .returning('name')",
      'features/tokens/tokens.test.ts',
    ],
    'access: the tokens of a disabled user stay valid': [
      '      await endTokensOf(trx, id)\n',
      '',
      'features/users/users.test.ts',
      'features/tokens/tokens.test.ts',
    ],
  }),
]
