import { quoted } from '../../../contract/quoted.ts'
import { NamedError } from '../errors.ts'

const DEEPEST = 32
const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** The JSON value of a request body; undefined if it is empty. Throws NamedError for anything but valid JSON in UTF-8. */
export function parseJsonBody(body: Buffer): unknown {
  let value: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    if (!text.trim()) return undefined
    value = JSON.parse(text)
  } catch (cause) {
    throw new NamedError('body_not_json', { cause })
  }
  refuseHostile(value)
  return value
}

/**
 * Rejects valid JSON that is dangerous later: keys that reach an object's prototype, text that PostgreSQL cannot
 * store, and nesting that would overflow the stack.
 */
export function refuseHostile(value: unknown, path = ''): void {
  walk(value, path, 0)
}

function walk(value: unknown, path: string, depth: number): void {
  if (depth > DEEPEST) throw new NamedError('body_too_deep')
  if (typeof value === 'string') refuseUnstorable(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const [key, entry] of Object.entries(value)) {
    const at = quoted(path ? `${path}.${key}` : key)
    if (REFUSED_KEYS.has(key)) throw refusal(at, `Unknown field: ${at}`)
    refuseUnstorable(key, at)
    walk(entry, at, depth + 1)
  }
}

function refuseUnstorable(text: string, path: string): void {
  // The path is part of the reply, so it must be storable itself.
  const subject = path.replaceAll('\0', '').toWellFormed() || 'The request'
  if (text.includes('\0')) throw refusal(subject, `${subject} must not contain the character NUL`)
  if (!text.isWellFormed())
    throw refusal(subject, `${subject} must be valid Unicode (it has half a character)`)
}

function refusal(field: string, message: string): NamedError {
  return new NamedError('invalid', { message, field, errors: [{ field, message }] })
}
