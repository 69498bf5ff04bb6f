import type { z } from 'zod'

/**
 * Describes what is wrong with a field, as the end of a sentence: "must be at least 1". For schemas without their own
 * message.
 */
export function explain(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : (types[String(issue.expected)] ?? 'has the wrong type')
    case 'too_small':
      return size(issue.origin, 'least', issue.minimum)
    case 'too_big':
      return size(issue.origin, 'most', issue.maximum)
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : oneOf(issue.values)
    case 'invalid_union':
      // A union whose alternatives differ by one field: `input` is the object with that field.
      return 'discriminator' in issue ? unknownChoice(issue) : 'is not valid'
    case 'invalid_format':
      return formats[String(issue.format)] ?? 'has the wrong form'
    default:
      return 'is not valid'
  }
}

const types: Record<string, string> = {
  int: 'must be a whole number',
  number: 'must be a number',
  string: 'must be text',
  boolean: 'must be true or false',
  array: 'must be a list',
  tuple: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be null',
}

const formats: Record<string, string> = {
  email: 'must be an e-mail address',
  datetime: 'must be a moment such as 2026-01-31T04:00:00.000Z',
  url: 'must be an address',
}

function size(origin: unknown, bound: 'least' | 'most', limit: unknown): string {
  if (origin === 'string' && bound === 'least' && limit === 1) return 'must not be blank'
  if (origin === 'string') return `must have at ${bound} ${limit} characters`
  if (origin === 'array') return `must have at ${bound} ${limit} entries`
  return `must be at ${bound} ${limit}`
}

function unknownChoice(issue: { discriminator?: unknown; options?: unknown; input?: unknown }): string {
  const { discriminator, options, input } = issue
  const isGiven = typeof input === 'object' && input !== null && String(discriminator) in input
  return isGiven ? oneOf(options) : 'is required'
}

function oneOf(values: unknown): string {
  const list = Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : []
  return list.length === 1 ? `must be ${list[0]}` : `must be one of ${list.join(', ')}`
}
