import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ApiSettings } from '../../../contract/connections.ts'
import type { Reply } from './reply.ts'
import type { HeaderLine } from './send.ts'

/** By which an API tells that its reply is still the one that `request` brought. */
const Validator = z.strictObject({
  /** Hash of what was asked for: another request's reply says nothing of this one's. */
  request: z.string(),
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
})
type Validator = z.infer<typeof Validator>

/** What a reply leaves for the next reading; null: nothing to go by. */
export function validatorOf(settings: ApiSettings, { headers }: Pick<Reply, 'headers'>): Validator | null {
  const etag = headers.etag ?? null
  const changed = headers['last-modified'] ?? null
  // A file may change twice within the second that this header is exact to.
  const is_settled = changed !== null && Date.parse(headers.date ?? '') - Date.parse(changed) >= 2000
  const last_modified = is_settled ? changed : null
  return etag === null && last_modified === null
    ? null
    : { request: requestHash(settings), etag, last_modified }
}

/** Headers by which a request asks for a reply only where it is another one. */
export function conditionsOf(settings: ApiSettings, validator: unknown): HeaderLine[] {
  const { data } = Validator.safeParse(validator)
  if (!data || data.request !== requestHash(settings)) return []
  const line = (name: string, value: string | null) =>
    value === null ? [] : [{ name, value, is_secret: false }]
  return [...line('if-none-match', data.etag), ...line('if-modified-since', data.last_modified)]
}

// Secrets stay out of it: it is stored, and a short one could be found by trying.
function requestHash({ headers, params, ...rest }: ApiSettings): string {
  const open = [...headers, ...params].map(({ name, value, is_secret }) => [name, is_secret ? null : value])
  return createHash('sha256')
    .update(JSON.stringify([rest, open]))
    .digest('base64url')
}
