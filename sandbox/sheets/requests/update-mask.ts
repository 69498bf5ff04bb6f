import { invalid } from '../../google-error.ts'
import { type Mask, parseMask } from '../fields/mask.ts'

/** Parses the `fields` of an update. Throws 400 if it is missing, invalid or contains unknown fields. */
export function updateMask(fields: string, known: readonly string[]): Mask {
  if (fields === '') {
    throw invalid("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
  }
  const mask = parseMask(fields)
  if (!mask) throw invalid(`Invalid field mask: ${fields}`)
  for (const name of mask.keys()) {
    if (name !== '*' && !known.includes(name)) throw invalid(`Invalid field: ${name}`)
  }
  return mask
}
