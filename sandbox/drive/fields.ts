import { DriveError } from '../error-reply.ts'
import { parseMask, select } from '../sheets/fields/mask.ts'

/** Applies a `fields` parameter such as `nextPageToken,files(id,owners/emailAddress)` to a reply. */
export function masked(reply: object, fields: string): unknown {
  const mask = parseMask(fields)
  if (mask !== null) return select(reply, mask)
  const message = `Invalid field selection ${fields}`
  throw new DriveError(400, 'INVALID_ARGUMENT', message, 'invalidParameter', 'fields')
}
