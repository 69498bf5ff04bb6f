import { z } from 'zod'
import { invalid } from './google-error.ts'

/** The value as the schema has it. Throws a 400 that says what is wrong with it. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error))
  return parsed.data
}
