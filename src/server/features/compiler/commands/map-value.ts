import type { BodyOf } from '../../../../contract/calls.ts'
import type { compilerChecks } from '../../../../contract/compiler/checks.ts'
import {
  type FieldRule,
  fieldSettings,
  type RuleStep,
} from '../../../../contract/field-checks/field-checks.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { type Db, retriedTransaction } from '../../../platform/db.ts'
import { touched } from '../../../platform/edit-conflicts.ts'
import { parseInput } from '../../../platform/http/parse.ts'
import { notify } from '../../../platform/notify.ts'
import { taskObject, taskOfConfig } from '../../../tasks/task-identity.ts'
import { readSettings, storedSettings } from './merge-settings.ts'

type Mapping = BodyOf<typeof compilerChecks.mapValue>

/**
 * Replaces a value of a field by another one for the next compile, in the last step of the field's rule that replaces values. Null
 * removes the replacement. Throws NamedError `compiler_task_not_found`, or for too many values as an edit does.
 */
export const mapValue = (db: Db, actor: Actor, { id, ...mapping }: Mapping & { id: number }): Promise<void> =>
  retriedTransaction(db, async (trx) => {
    const task_id = await taskOfConfig(trx, id)
    // Changes updated_at, so that open editors detect the change; concurrent calls are serialized by the row lock.
    await trx.updateTable('tasks').set({ updated_at: touched }).where('id', '=', task_id).execute()
    const { field_rules } = await readSettings(trx, id)
    const changed = parseInput(fieldSettings.field_rules, withMapping(field_rules, mapping))
    await trx
      .updateTable('compiler_configs')
      .set(storedSettings({ field_rules: changed }))
      .where('id', '=', id)
      .execute()
    await audit(trx, actor, { action: 'map_value', ...taskObject('compiler', task_id), details: mapping })
    await notify(trx, { kind: 'tasks' })
  })

/** The other replacements. Those that led to the value lead to its replacement. */
const replaced = (values: (RuleStep & { kind: 'map' })['values'], { from, to }: Omit<Mapping, 'field'>) =>
  values
    .filter((one) => one.from !== from)
    .map((one) => (to !== null && one.to === from ? { ...one, to } : one))

function withMapping(rules: readonly FieldRule[], { field, from, to }: Mapping): FieldRule[] {
  const steps = rules.find((rule) => rule.field === field)?.steps ?? []
  const at = steps.findLastIndex(({ kind }) => kind === 'map')
  const step = steps[at]
  const others = step?.kind === 'map' ? replaced(step.values, { from, to }) : []
  const values = to === null ? others : [...others, { from, to }]
  const map: RuleStep[] = values.length === 0 ? [] : [{ kind: 'map', values }]
  const changed = at < 0 ? [...steps, ...map] : steps.toSpliced(at, 1, ...map)
  const rest = rules.filter((rule) => rule.field !== field)
  return changed.length === 0 ? rest : [...rest, { field, steps: changed }]
}
