import { fieldMessages } from '../../../../contract/field-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { sourceTaskTypes, type TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { type ChosenDependency, type DependencyDraft, noDraft } from './dependency-rules.ts'

/** Values of the form; a cleared number is blank. */
export type SourceValues = {
  name: string
  group_name: string
  priority: 'low' | 'medium' | 'high'
  description: string
  is_active: boolean
  is_scheduled: boolean
  cron_schedule: string
  dependencies: ChosenDependency[]
  /** A dependency that was selected but not added; saving adds it. */
  draft: DependencyDraft
  allowed_concurrent_tasks: number | string
  timeout_minutes: number | string
  max_retries: number | string
  retry_delay_seconds: number | string
}

/** Labels of the form that differ from the field names. */
export const sourceLabels: Record<string, string> = {
  group_name: 'Group Name',
  cron_schedule: 'Cron Schedule',
  allowed_concurrent_tasks: 'Max Concurrent Tasks',
  timeout_minutes: 'Timeout (minutes)',
  max_retries: 'Max Retries',
  retry_delay_seconds: 'Retry Delay (seconds)',
}

/** Priorities as API values. */
const priorities = { low: 0, medium: 1, high: 2 } as const

type Stored = Pick<
  TaskType,
  | 'name'
  | 'group_name'
  | 'priority'
  | 'description'
  | 'is_active'
  | 'cron_schedule'
  | 'dependencies'
  | 'allowed_concurrent_tasks'
  | 'timeout_minutes'
  | 'max_retries'
  | 'retry_delay_seconds'
>

/** Form values of a type; a priority of 2 or more is high. */
export const sourceValuesOf = (type: Stored): SourceValues => ({
  name: type.name,
  group_name: type.group_name,
  priority: type.priority >= 2 ? 'high' : type.priority === 1 ? 'medium' : 'low',
  description: type.description,
  is_active: type.is_active,
  is_scheduled: type.cron_schedule !== null,
  cron_schedule: type.cron_schedule ?? '',
  dependencies: type.dependencies,
  draft: noDraft,
  allowed_concurrent_tasks: type.allowed_concurrent_tasks,
  timeout_minutes: type.timeout_minutes ?? '',
  max_retries: type.max_retries,
  retry_delay_seconds: type.retry_delay_seconds,
})

/** Initial values of a new type: the contract's defaults, without a schedule. */
export const newSourceValues = (): SourceValues =>
  sourceValuesOf({ ...sourceTaskTypes.create.body.parse({ name: '-' }), name: '', dependencies: [] })

const inRange = (value: number | string, min: number, max: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max

const rules: { [Field in keyof SourceValues]?: (values: SourceValues) => string | null } = {
  name: ({ name }) => {
    if (name.trim() === '') return fieldMessages.name_required
    return name.trim().length > limits.name_characters ? taskTypeMessages.form_name_long : null
  },
  cron_schedule: ({ is_scheduled, cron_schedule }) =>
    is_scheduled && cron_schedule.trim() === '' ? taskTypeMessages.cron_required : null,
  allowed_concurrent_tasks: (values) =>
    inRange(values.allowed_concurrent_tasks, 1, limits.form_concurrent_max)
      ? null
      : taskTypeMessages.max_concurrent_range,
  timeout_minutes: ({ timeout_minutes }) =>
    timeout_minutes === '' || inRange(timeout_minutes, 1, limits.timeout_minutes_max)
      ? null
      : fieldMessages.whole_number(1, limits.timeout_minutes_max),
  max_retries: ({ max_retries }) =>
    inRange(max_retries, 0, limits.form_retries_max) ? null : taskTypeMessages.max_retries_range,
  retry_delay_seconds: ({ retry_delay_seconds }) =>
    inRange(retry_delay_seconds, 0, limits.retry_delay_seconds_max)
      ? null
      : fieldMessages.whole_number(0, limits.retry_delay_seconds_max),
}

/** Validation errors by field. Unchanged stored values are not validated: another client may have set them. */
export function sourceProblems(values: SourceValues, stored: SourceValues | null): Record<string, string> {
  return Object.fromEntries(
    Object.entries(rules).flatMap(([field, problemOf]) => {
      const problem = problemOf(values)
      return problem === null || (stored && problemOf(stored) === problem && isSame(field, values, stored))
        ? []
        : [[field, problem]]
    }),
  )
}

const isSame = (field: string, values: SourceValues, stored: SourceValues) => {
  const of = (one: SourceValues) => JSON.stringify(Object.entries(one).find(([name]) => name === field))
  return of(values) === of(stored)
}

/** Body of a new type. */
export const newSourceBody = (values: SourceValues) => ({
  name: values.name.trim(),
  group_name: values.group_name,
  priority: priorities[values.priority] as number,
  description: values.description,
  is_active: values.is_active,
  cron_schedule: values.is_scheduled ? values.cron_schedule : null,
  dependencies: values.dependencies.map(({ dependency_task_type_id, condition_type }) => ({
    dependency_task_type_id,
    condition_type,
  })),
  allowed_concurrent_tasks: Number(values.allowed_concurrent_tasks),
  timeout_minutes: values.timeout_minutes === '' ? null : Number(values.timeout_minutes),
  max_retries: Number(values.max_retries),
  retry_delay_seconds: Number(values.retry_delay_seconds),
})

/** Body of an update: the fields that differ from the version that the form is based on. */
export function changedFields(
  values: SourceValues,
  stored: SourceValues,
): Partial<ReturnType<typeof newSourceBody>> {
  const before = new Map<string, unknown>(Object.entries(newSourceBody(stored)))
  return Object.fromEntries(
    Object.entries(newSourceBody(values)).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before.get(field)),
    ),
  )
}
