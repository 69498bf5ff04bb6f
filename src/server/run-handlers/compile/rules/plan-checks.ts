import type { MergeSettings } from '../../../../contract/compiler/configs.ts'
import type { CheckList, CompilePlan } from './compile-plan.ts'

/** The checks and rules of existing fields; undefined: there are none. */
export function planChecks(
  fields: readonly string[],
  { field_checks, field_rules }: Pick<MergeSettings, 'field_checks' | 'field_rules'>,
  lists: ReadonlyMap<number, CheckList>,
): CompilePlan['judging'] {
  const steps = Object.fromEntries(
    field_rules.flatMap(({ field, steps }) => {
      const at = fields.indexOf(field)
      return at < 0 ? [] : [[at, steps]]
    }),
  )
  const checks = field_checks.flatMap((check, check_no) => {
    const field = fields.indexOf(check.field)
    const other = check.kind === 'compare' ? fields.indexOf(check.other_field) : null
    return field < 0 || other === -1 ? [] : [{ check, check_no, field, other }]
  })
  if (checks.length === 0 && Object.keys(steps).length === 0) return undefined
  return { steps, checks, lists: Object.fromEntries(lists) }
}

/** Names of fields in checks and rules. */
export const checkedFields = ({
  field_checks,
  field_rules,
}: Pick<MergeSettings, 'field_checks' | 'field_rules'>): string[] => [
  ...field_checks.flatMap((check) =>
    check.kind === 'compare' ? [check.field, check.other_field] : [check.field],
  ),
  ...field_rules.map(({ field }) => field),
]
