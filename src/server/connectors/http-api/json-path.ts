import { compile, type JSONValue } from 'json-p3'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'

/** All values at a JSONPath (RFC 9535). Throws OriginFailure where it is none. */
export type JsonPath = (value: unknown) => unknown[]

/** Compiles a path; `label` is what the form calls it. Throws OriginFailure. */
export function compilePath(path: string, label: string): JsonPath {
  const query = orInvalid(() => compile(path))
  // Whatever was parsed from JSON is such a value.
  return (value) => orInvalid(() => query.query(value as JSONValue).values())

  function orInvalid<T>(work: () => T): T {
    try {
      return work()
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : ''
      throw new OriginFailure('invalid', messages.path_invalid(label, path, reason), { cause })
    }
  }
}

/** The first value at a path; undefined where there is none. */
export const firstAt = (path: JsonPath | null, value: unknown): unknown => path?.(value)[0]

/** Entries of an object; none of anything else. */
export const fieldsOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
