import {
  FunctionExpressionType,
  JSONPathEnvironment,
  JSONPathError,
  type JSONPathQuery,
  type JSONValue,
  jsonpath,
} from 'json-p3'
import { RE2JS } from 're2js'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'

/** A compiled JSONPath (RFC 9535). */
export type JsonPath = {
  /** All values at the path. Throws OriginFailure if it cannot be evaluated. */
  find: (value: unknown) => unknown[]
  /** Whether the path selects one place: no wildcards, slices, filters and `..`. */
  isSingular: boolean
  /** Whether evaluation takes linear time: no filters and no `..`. */
  isLinear: boolean
  /** The values along the path, the root first, as far as it selects one place. */
  way: (value: unknown) => unknown[]
  /** Whether the parent of the selection exists; for a path to one place, whether any value exists. */
  isBaseIn: (value: unknown) => boolean
}

type Segment = JSONPathQuery['segments'][number]

const PATTERNS_KEPT = 10
const { NameSelector, IndexSelector, SliceSelector, WildcardSelector } = jsonpath.selectors

/** JSONPath with `match` and `search` in linear time for any pattern. */
class LinearEnvironment extends JSONPathEnvironment {
  protected override setupFilterFunctions(): void {
    super.setupFilterFunctions()
    this.functionRegister.set(
      'match',
      patternFunction((pattern, text) => pattern.matches(text)),
    )
    this.functionRegister.set(
      'search',
      patternFunction((pattern, text) => pattern.matcher(text).find()),
    )
  }
}

function patternFunction(test: (pattern: RE2JS, text: string) => boolean) {
  const compiled = new Map<string, RE2JS | null>()
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(text: unknown, pattern: unknown): boolean {
      if (typeof text !== 'string' || typeof pattern !== 'string') return false
      if (!compiled.has(pattern)) {
        // Patterns may come from the reply, a different one per entry.
        if (compiled.size >= PATTERNS_KEPT) compiled.clear()
        compiled.set(pattern, compilePattern(pattern))
      }
      const known = compiled.get(pattern)
      return known ? test(known, text) : false
    },
  }
}

/** Null for an invalid pattern, which matches nothing (RFC 9535). */
function compilePattern(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return null
  }
}

const environment = new LinearEnvironment()

/** Compiles a path; `label` is its name in the form. Throws OriginFailure. */
export function compilePath(text: string, label: string): JsonPath {
  const query = compiled(text, label)
  const singular = query.segments.slice(0, lengthOfSingular(query.segments))
  const reaches = query.segments.slice(singular.length).some(isDescendant)
  const way = (value: unknown) => {
    const values = [value]
    for (const segment of singular) {
      const next = childOf(values.at(-1), segment)
      if (next === undefined) break
      values.push(next)
    }
    return values
  }
  return {
    isSingular: singular.length === query.segments.length,
    isLinear: query.segments.every(isLinear),
    find(value) {
      try {
        // Parsed JSON is a JSONValue.
        return query.query(value as JSONValue).values()
      } catch (cause) {
        throw new OriginFailure('invalid', originMessages.path_unusable(label, text), { cause })
      }
    },
    way,
    isBaseIn(value) {
      const values = way(value)
      const base = values.at(-1)
      if (values.length <= singular.length) return false
      // `..` searches everything; only an empty list is known to contain nothing.
      return Array.isArray(base) || (!reaches && singular.length > 0 && isObject(base))
    },
  }
}

function compiled(text: string, label: string): JSONPathQuery {
  try {
    return environment.compile(fullPath(text))
  } catch (cause) {
    const at = cause instanceof JSONPathError ? cause.token.index - (fullPath(text).length - text.length) : 0
    throw new OriginFailure('invalid', originMessages.path_invalid(label, text, Math.max(0, at)), { cause })
  }
}

/**
 * Expands `data.items` and `[0].items` to `$.data.items` and `$[0].items`; names such as `order-items` stay
 * unchanged.
 */
function fullPath(text: string): string {
  if (text.startsWith('$')) return text
  if (!/^[^\s$@'"()*?[\]]+$/.test(text) || text.startsWith('.'))
    return /^[.[]/.test(text) ? `$${text}` : `$.${text}`
  const parts = text.split('.')
  if (parts.includes('')) return `$.${text}`
  return `$${parts.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `['${name.replaceAll('\\', '\\\\')}']`)).join('')}`
}

// Detected by its text, because the library does not export segment classes.
const isDescendant = (segment: Segment) => segment.toString().startsWith('..')

const isLinear = (segment: Segment) =>
  !isDescendant(segment) &&
  segment.selectors.length === 1 &&
  segment.selectors.every(
    (selector) =>
      selector instanceof NameSelector ||
      selector instanceof IndexSelector ||
      selector instanceof SliceSelector ||
      selector instanceof WildcardSelector,
  )

function lengthOfSingular(segments: readonly Segment[]): number {
  const end = segments.findIndex((segment) => nameOf(segment) === null)
  return end < 0 ? segments.length : end
}

/** The name or index that a segment selects; null for other selectors. */
function nameOf(segment: Segment): string | number | null {
  const [selector, ...others] = segment.selectors
  if (isDescendant(segment) || others.length > 0) return null
  if (selector instanceof NameSelector) return selector.name
  return selector instanceof IndexSelector ? selector.index : null
}

function childOf(value: unknown, segment: Segment): unknown {
  const name = nameOf(segment)
  if (typeof name === 'number') return Array.isArray(value) ? value.at(name) : undefined
  return fieldsOf(value).find(([field]) => field === name)?.[1]
}

/** The first value at a path; undefined if there is none. */
export const firstAt = (path: JsonPath | null, value: unknown): unknown => path?.find(value)[0]

/** Entries of an object; empty for anything else. */
export const fieldsOf = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value) : []

/** Whether a JSON value is an object (not a list, not null). */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
