import type { z } from 'zod'
import { badRequest, invalid } from '../../google-error.ts'
import { isJson, type Json } from '../model/json.ts'
import { arePlainRows, isPlainRow } from './plain-rows.ts'

const MAX_DEPTH = 100
/** JSON depth of a row of cells: row, list of cells, cell, value. */
const ROW_DEPTH = 4

/**
 * Normalizes JSON like Google's parser: null fields are absent, and proto names (`sheet_id`) are equal to camel case. Unchanged
 * values are returned without a copy, since large requests rarely need changes. Throws 400 if the JSON is nested too deep.
 */
export function protoJson(json: unknown, depth = 0): unknown {
  if (!isJson(json) && !Array.isArray(json)) return json
  if (depth > MAX_DEPTH) {
    throw invalid('Invalid JSON payload received. Message too deep. Max recursion depth reached.')
  }
  return isJson(json) ? protoMessage(json, depth) : protoList(json, depth)
}

function protoList(json: unknown[], depth: number): unknown[] {
  const mayHoldRows = depth + ROW_DEPTH < MAX_DEPTH
  if (mayHoldRows && arePlainRows(json)) return json
  let items = json
  for (const [index, given] of json.entries()) {
    if (mayHoldRows && isPlainRow(given)) continue
    const item = protoJson(given ?? {}, depth + 1)
    if (item === given) continue
    if (items === json) items = [...json]
    items[index] = item
  }
  return items
}

function protoMessage(json: Json, depth: number): Json {
  // Allocated only on the first change, because most messages of large requests are cells.
  let fields: [string, unknown][] | undefined
  for (const [index, name] of Object.keys(json).entries()) {
    const given = json[name]
    const value = protoJson(given, depth + 1)
    const field = camelCase(name)
    if (!fields && value !== null && value === given && field === name) continue
    fields ??= Object.entries(json).slice(0, index)
    if (value !== null) fields.push([field, value])
  }
  return fields ? Object.fromEntries(fields) : json
}

/** Converts the top-level field names of a message to camel case. */
export function camelKeys(json: Json): Json {
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [camelCase(key), value]))
}

/** Like Google's parser, accepts a single message for a repeated field and flattens nested lists. */
export function listOf(json: unknown): unknown[] {
  return Array.isArray(json) ? json.flat(MAX_DEPTH) : [json]
}

/** Converts a field name from `sheet_id` to `sheetId`. */
export function camelCase(name: string): string {
  return name.includes('_') ? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : name
}

/** Validates a message found at `path`. Throws 400 with the messages of Google's JSON parser. */
export function parseMessage<T>(schema: z.ZodType<T>, json: unknown, path: string): T {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  throw badRequest(result.error.issues.flatMap((issue) => violationsOf(issue, json, path)))
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
  // All other numbers in requests are integers.
  return issue.path.at(-1) === 'numberValue' ? 'TYPE_DOUBLE' : 'TYPE_INT32'
}

function at(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** Converts a field name from `sheetId` to `sheet_id`. */
export function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
