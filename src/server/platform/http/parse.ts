import { z } from 'zod'
import { quoted } from '../../../contract/quoted.ts'
import { NamedError } from '../errors.ts'
import { compiled } from './compiled.ts'
import { explain } from './explain.ts'

// Limits the size of a reply that lists invalid fields.
const MAX_ERRORS = 50

const dotted = (path: PropertyKey[]) => path.map((part) => quoted(String(part))).join('.')

/** The parsed value. Throws NamedError `invalid` with up to 50 invalid fields, named by `nameOf`; nothing is coerced. */
export function parseInput<S extends z.core.$ZodType>(
  schema: S,
  value: unknown,
  nameOf: (path: PropertyKey[]) => string = dotted,
): z.output<S> {
  // The input distinguishes an absent value from an invalid one.
  const parsed = z.safeParse(compiled(schema), value, { error: explain, reportInput: true })
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues
    .slice(0, MAX_ERRORS)
    .flatMap((issue) => describe(issue, [], (path) => quoted(nameOf(path))))
    .slice(0, MAX_ERRORS)
  const [first] = errors
  throw new NamedError('invalid', first ? { message: first.message, field: first.field, errors } : {})
}

type FieldError = { field: string; message: string }

function describe(
  issue: z.core.$ZodIssue,
  parents: PropertyKey[],
  nameOf: (path: PropertyKey[]) => string,
): FieldError[] {
  const path = [...parents, ...issue.path]
  const field = nameOf(path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_ERRORS).map((key) => {
      const name = nameOf([...path, key])
      return { field: name, message: `Unknown field: ${name}` }
    })
  }
  if (issue.code === 'invalid_union') {
    const branch = nearestBranch(issue.errors)
    if (branch) return branch.flatMap((inner) => describe(inner, path, nameOf))
  }
  // A schema's own message is a complete sentence; ours continues the field's name.
  const message =
    issue.message === explain(issue) ? `${field || 'The request'} ${issue.message}` : issue.message
  return [{ field, message }]
}

/** The alternative that the caller most likely meant: the last one with the right type. */
function nearestBranch(branches: z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const near = branches.findLast((issues) =>
    issues.some(({ path, code }) => path.length > 0 || (code !== 'invalid_type' && code !== 'invalid_value')),
  )
  return near ?? branches.at(-1)
}
