import * as z from 'zod/mini'
import type { ErrorBody } from '../../contract/error-body.ts'

/** For `validate` of a form: the first message of each top-level field of the schema. */
export const fieldErrors =
  (schema: z.core.$ZodType) =>
  (values: unknown): Record<string, string> => {
    const parsed = z.safeParse(schema, values)
    return parsed.success
      ? {}
      : firstByField(parsed.error.issues.map(({ path, message }) => [String(path[0]), message]))
  }

type Refusal = Pick<ErrorBody, 'message' | 'field' | 'errors'>

const topOf = (path: string) => path.split('.')[0] ?? ''

/** Field errors of a failed call, limited to fields of the form. `fieldOf` maps a field of the call to one of the form. */
export const refusedFields = (
  { field, errors, message }: Refusal,
  known: object,
  fieldOf = topOf,
): Record<string, string> =>
  firstByField(
    (errors ?? (field ? [{ field, message }] : []))
      .map((error): [string, string] => [fieldOf(error.field), error.message])
      .filter(([name]) => topOf(name) in known),
  )

function firstByField(pairs: readonly [string, string][]): Record<string, string> {
  const first: Record<string, string> = {}
  for (const [field, message] of pairs) first[field] ??= message
  return first
}
