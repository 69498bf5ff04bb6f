import { JsonText } from '../../json-text.ts'
import { isJson, type Json } from '../model/json.ts'
import { camelCase } from '../requests/parse-json.ts'

/** A field mask as a tree. An empty map selects the whole field. */
export type Mask = ReadonlyMap<string, Mask>

/** Parses `a,b.c,d(e,f/g)`; `/` and `.` are equivalent. Null for invalid syntax. Blanks are part of a name. */
export function parseMask(text: string): Mask | null {
  const root: MutableMask = new Map()
  const reader = { text, at: 0 }
  return readList(reader, root) && reader.at === text.length ? root : null
}

/**
 * Applies a mask. Parent messages are kept even if empty; absent fields and empty lists are omitted. Serialized parts were already
 * masked.
 */
export function select(value: unknown, mask: Mask): unknown {
  if (isWhole(mask) || value instanceof JsonText) return value
  if (Array.isArray(value)) return value.map((item) => select(item, mask))
  if (!isJson(value)) return value
  const picked: Record<string, unknown> = {}
  for (const [key, inner] of mask) {
    if (value[key] !== undefined) picked[key] = select(value[key], inner)
  }
  return picked
}

/** Copies the masked fields from source to target. Fields that are missing in the source are removed. */
export function merge(target: Json, source: Json, mask: Mask): Json {
  if (isWhole(mask)) return source
  const merged: Record<string, unknown> = { ...target }
  for (const [key, inner] of mask) {
    const from = source[key]
    const onto = merged[key]
    const value = inner.size === 0 ? from : merge(isJson(onto) ? onto : {}, isJson(from) ? from : {}, inner)
    if (value === undefined || (inner.size > 0 && isJson(value) && Object.keys(value).length === 0))
      delete merged[key]
    else merged[key] = value
  }
  return merged
}

/** True if the mask includes `path` or a field below it. */
export function covers(mask: Mask, path: readonly string[]): boolean {
  const [first, ...rest] = path
  if (first === undefined || isWhole(mask)) return true
  const inner = mask.get(first)
  return inner !== undefined && covers(inner, rest)
}

/** The submask at `path`; null if it is included entirely or not at all. */
export function maskAt(mask: Mask | null, path: readonly string[]): Mask | null {
  const [first, ...rest] = path
  if (mask === null || isWhole(mask)) return null
  return first === undefined ? mask : maskAt(mask.get(first) ?? null, rest)
}

/** True if the mask includes everything. */
export const isWhole = (mask: Mask): boolean => mask.size === 0 || mask.has('*')

type MutableMask = Map<string, MutableMask>

function readList(reader: { text: string; at: number }, into: MutableMask): boolean {
  do {
    if (!readPath(reader, into)) return false
  } while (take(reader, ','))
  return true
}

function readPath(reader: { text: string; at: number }, into: MutableMask): boolean {
  let node = into
  do {
    const name = /^[^,()./]+/.exec(reader.text.slice(reader.at))?.[0]
    if (name === undefined) return false
    reader.at += name.length
    const field = camelCase(name)
    const next = node.get(field) ?? new Map()
    node.set(field, next)
    node = next
  } while (take(reader, '.') || take(reader, '/'))
  if (!take(reader, '(')) return true
  return readList(reader, node) && take(reader, ')')
}

function take(reader: { text: string; at: number }, character: string): boolean {
  if (reader.text[reader.at] !== character) return false
  reader.at++
  return true
}
