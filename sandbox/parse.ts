import { z } from 'zod'
import { invalid } from './google-error.ts'

/** Parses a value with a schema. Throws a 400 that describes the error. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error))
  return parsed.data
}
