import type { z } from 'zod'
import { GoogleError } from '../../google-error.ts'

/**
 * The JSON without its nulls: Google's parser takes a null field for an absent one. What has none is given back as it is,
 * since most requests have none and some have tens of thousands of cells.
 */
export function withoutNulls(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) {
    const items = json.map((item) => withoutNulls(item ?? {}))
    return items.every((item, index) => item === json[index]) ? json : items
  }
  const changes = Object.entries(json).filter(([, value]) => typeof value === 'object')
  const entries = changes.map(([key, value]): [string, unknown] => [key, withoutNulls(value)])
  if (entries.every(([key, value]) => value !== null && value === Reflect.get(json, key))) return json
  return Object.fromEntries(
    Object.entries({ ...json, ...Object.fromEntries(entries) }).filter(([, value]) => value !== null),
  )
}

/** The JSON as that message, found at `path` of a request. Throws 400 in the words of Google's JSON parser. */
export function parseMessage<T>(schema: z.ZodType<T>, json: unknown, path: string): T {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const violations = result.error.issues.flatMap((issue) => violationsOf(issue, json, path))
  const message = violations.map(({ description }) => description).join('\n')
  throw new GoogleError(400, 'INVALID_ARGUMENT', message, [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: violations },
  ])
}

interface Violation {
  readonly field: string
  readonly description: string
}

function violationsOf(issue: z.core.$ZodIssue, json: unknown, path: string): Violation[] {
  const field = issue.path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : `${text}${text && '.'}${snakeCase(String(key))}`,
    path,
  )
  if (issue.code === 'unrecognized_keys') {
    const at = field === '' ? '' : ` at '${field}'`
    return issue.keys.map((key) => ({
      field,
      description: `Invalid JSON payload received. Unknown name "${key}"${at}: Cannot find field.`,
    }))
  }
  const value = issue.path.reduce<unknown>((inner, key) => at(inner, key), json)
  return [
    {
      field,
      description: `Invalid value at '${field}' (${typeName(issue)}), ${JSON.stringify(value ?? null)}`,
    },
  ]
}

function typeName(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return 'TYPE_ENUM'
  if (issue.code !== 'invalid_type') return 'TYPE_INT32'
  if (issue.expected === 'string') return 'TYPE_STRING'
  if (issue.expected === 'boolean') return 'TYPE_BOOL'
  if (issue.expected !== 'number' && issue.expected !== 'int') return 'TYPE_MESSAGE'
  // All other numbers of the API's requests are whole ones.
  return issue.path.at(-1) === 'numberValue' ? 'TYPE_DOUBLE' : 'TYPE_INT32'
}

function at(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
