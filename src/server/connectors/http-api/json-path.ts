import {
  FunctionExpressionType,
  JSONPathEnvironment,
  JSONPathError,
  type JSONPathQuery,
  type JSONValue,
  jsonpath,
} from 'json-p3'
import { RE2JS } from 're2js'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'

/** A compiled JSONPath (RFC 9535). */
export type JsonPath = {
  /** All values at the path. Throws OriginFailure where it cannot be evaluated. */
  find: (value: unknown) => unknown[]
  /** Whether the path names one place, without wildcards, slices, filters and `..`. */
  isSingular: boolean
  /** Whether evaluating it takes time in proportion to the reply: no filters and no `..`. */
  isLinear: boolean
  /** The values on the way to what the path names, from the outside in, the root first; as far as the path names one place. */
  way: (value: unknown) => unknown[]
  /** Whether that out of which the path selects is there; of a path that names one place: whether anything is. */
  isBaseIn: (value: unknown) => boolean
}

type Segment = JSONPathQuery['segments'][number]

const PATTERNS_KEPT = 10
const { NameSelector, IndexSelector, SliceSelector, WildcardSelector } = jsonpath.selectors

/** JSONPath whose `match` and `search` take time in proportion to the text, whatever the pattern. */
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
        // A pattern may come from the reply, another one with each entry.
        if (compiled.size >= PATTERNS_KEPT) compiled.clear()
        compiled.set(pattern, compilePattern(pattern))
      }
      const known = compiled.get(pattern)
      return known ? test(known, text) : false
    },
  }
}

/** Null where it is no pattern: nothing matches it, as RFC 9535 says. */
function compilePattern(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return null
  }
}

const environment = new LinearEnvironment()

/** Compiles a path; `label` is what the form calls it. Throws OriginFailure. */
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
        // What was parsed from JSON is such a value.
        return query.query(value as JSONValue).values()
      } catch (cause) {
        throw new OriginFailure('invalid', messages.path_unusable(label, text), { cause })
      }
    },
    way,
    isBaseIn(value) {
      const values = way(value)
      const base = values.at(-1)
      if (values.length <= singular.length) return false
      // `..` looks into whatever is there: only a list is known to be one that has nothing in it.
      return Array.isArray(base) || (!reaches && singular.length > 0 && isObject(base))
    },
  }
}

function compiled(text: string, label: string): JSONPathQuery {
  try {
    return environment.compile(fullPath(text))
  } catch (cause) {
    const at = cause instanceof JSONPathError ? cause.token.index - (fullPath(text).length - text.length) : 0
    throw new OriginFailure('invalid', messages.path_invalid(label, text, Math.max(0, at)), { cause })
  }
}

/** `data.items` and `[0].items` as `$.data.items` and `$[0].items`; each name of the first kind as it stands, such as `order-items`. */
function fullPath(text: string): string {
  if (text.startsWith('$')) return text
  if (!/^[^\s$@'"()*?[\]]+$/.test(text) || text.startsWith('.'))
    return /^[.[]/.test(text) ? `$${text}` : `$.${text}`
  const parts = text.split('.')
  if (parts.includes('')) return `$.${text}`
  return `$${parts.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `['${name.replaceAll('\\', '\\\\')}']`)).join('')}`
}

// As it is written: the library does not export the classes of segments.
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

/** The name or index that a segment selects; null where it selects otherwise. */
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

/** The first value at a path; undefined where there is none. */
export const firstAt = (path: JsonPath | null, value: unknown): unknown => path?.find(value)[0]

/** Entries of an object; none of anything else. */
export const fieldsOf = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value) : []

/** Whether a value of JSON is an object, and neither a list nor null. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
