import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ApiSettings } from '../../../contract/connections/calls.ts'
import type { Reply } from './reply.ts'
import type { HeaderLine } from './send.ts'

/** Lets an API tell that its reply to `request` is unchanged. */
const Validator = z.strictObject({
  /** Hash of the request; the validator is only valid for the same request. */
  request: z.string(),
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
})
type Validator = z.infer<typeof Validator>

/** The validator for the next reading; null: none. */
export function validatorOf(settings: ApiSettings, { headers }: Pick<Reply, 'headers'>): Validator | null {
  const etag = headers.etag ?? null
  const changed = headers['last-modified'] ?? null
  // Last-Modified is only exact to a second, within which a file may change twice.
  const is_settled = changed !== null && Date.parse(headers.date ?? '') - Date.parse(changed) >= 2000
  const last_modified = is_settled ? changed : null
  return etag === null && last_modified === null
    ? null
    : { request: requestHash(settings), etag, last_modified }
}

/** Conditional request headers. */
export function conditionsOf(settings: ApiSettings, validator: unknown): HeaderLine[] {
  const { data } = Validator.safeParse(validator)
  if (!data || data.request !== requestHash(settings)) return []
  const line = (name: string, value: string | null) =>
    value === null ? [] : [{ name, value, is_secret: false }]
  return [...line('if-none-match', data.etag), ...line('if-modified-since', data.last_modified)]
}

// Secrets are excluded: the hash is stored, and short secrets could be found by brute force.
function requestHash({ headers, params, ...rest }: ApiSettings): string {
  const open = [...headers, ...params].map(({ name, value, is_secret }) => [name, is_secret ? null : value])
  return createHash('sha256')
    .update(JSON.stringify([rest, open]))
    .digest('base64url')
}
