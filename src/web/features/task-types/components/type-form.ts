import * as z from 'zod/mini'
import { fieldMessages } from '../../../../contract/field-messages.ts'
import { Name } from '../../../../contract/fields.ts'
import { limits } from '../../../../contract/limits.ts'
import type { TaskType, TaskTypeCalls } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { fieldErrors } from '../../../lib/form-errors.ts'
import type { NumberSetting } from '../api.ts'
import { closesCycle } from './cycles.ts'
import { settingsOf } from './use-type-save.ts'

/** Values of the form. The id of the dependency is a string; a cleared number is blank. */
export type TypeValues = {
  name: string
  depends_on_id: string | null
} & Record<NumberSetting, number | string>

/** Labels and limits of the numeric fields, also used in error messages. */
export const numberFields: Record<NumberSetting, { label: string; min: number; max: number }> = {
  allowed_concurrent_tasks: { label: 'Allowed Concurrent Tasks', min: 1, max: 100 },
  queue_delay_seconds: { label: 'Queue Delay (seconds)', min: 0, max: 86_400 },
  max_retries: { label: 'Max Retries', min: 0, max: 100 },
  retry_delay_seconds: { label: 'Retry Delay (seconds)', min: 0, max: limits.retry_delay_seconds_max },
  chunk_size: { label: 'Chunk Size', min: 1, max: limits.chunk_size_max },
}

/** Labels of the dialogs that differ from the field names. */
export const dialogLabels: Record<string, string> = {
  ...Object.fromEntries(Object.entries(numberFields).map(([name, { label }]) => [name, label])),
  depends_on_id: 'Depends On',
  cron_schedule: 'Cron Schedule',
  compiler_config_id: 'Compiler Config',
  task_category: 'Category',
}

const whole = (name: NumberSetting) => {
  const { min, max } = numberFields[name]
  const message = fieldMessages.whole_number(min, max)
  return z
    .int(message)
    .check(
      z.minimum(min, name === 'allowed_concurrent_tasks' ? fieldMessages.concurrent_minimum : message),
      z.maximum(max, message),
    )
}

/** Id of a select option, or none. */
const ChosenId = z.pipe(
  z.nullable(z.string()),
  z.transform((id) => (id === null ? null : Number(id))),
)

/** Parses the form into the body of the call. */
export const TypeForm = z.object({
  name: Name,
  allowed_concurrent_tasks: whole('allowed_concurrent_tasks'),
  depends_on_id: ChosenId,
  queue_delay_seconds: whole('queue_delay_seconds'),
  max_retries: whole('max_retries'),
  retry_delay_seconds: whole('retry_delay_seconds'),
  chunk_size: whole('chunk_size'),
})

/** Error of a dependency; undefined if it is valid. */
export function dependencyProblem(
  types: readonly TaskType[],
  type_id: number | undefined,
  depends_on_id: string | null,
  circular: string,
): string | null {
  if (type_id === undefined || depends_on_id === null) return null
  if (Number(depends_on_id) === type_id) return taskTypeMessages.depends_on_itself
  return closesCycle(types, type_id, Number(depends_on_id)) ? circular : null
}

/** Validation errors by field. `circular`: the message for a cycle. */
export function problemsOf(
  values: TypeValues,
  types: readonly TaskType[],
  type_id: number | undefined,
  circular: string,
): Record<string, string> {
  const dependency = dependencyProblem(types, type_id, values.depends_on_id, circular)
  return { ...fieldErrors(TypeForm)(values), ...(dependency !== null && { depends_on_id: dependency }) }
}

/** Initial values of a new type: the contract's defaults. */
export const newValues = ({ create }: Pick<TaskTypeCalls, 'create'>): TypeValues =>
  valuesOf({ ...create.body.parse({ name: '-' }), name: '' })

/** Form values of a type. */
export function valuesOf({ name, depends_on_id, ...numbers }: Pick<TaskType, keyof TypeValues>): TypeValues {
  return {
    name,
    allowed_concurrent_tasks: numbers.allowed_concurrent_tasks,
    depends_on_id: depends_on_id === null ? null : String(depends_on_id),
    queue_delay_seconds: numbers.queue_delay_seconds,
    max_retries: numbers.max_retries,
    retry_delay_seconds: numbers.retry_delay_seconds,
    chunk_size: numbers.chunk_size,
  }
}

/** Body that recreates a type that was deleted during the edit: its settings, overridden by the form. */
export function overSettings<Body extends { depends_on_id?: number | null }>(
  gone: TaskType | null,
  body: Body,
) {
  if (gone === null) return body
  const { dependencies, ...settings } = settingsOf(gone)
  // The dialog shows only the first dependency; the others are kept if it is unchanged.
  return { ...settings, ...(body.depends_on_id === gone.depends_on_id && { dependencies }), ...body }
}
