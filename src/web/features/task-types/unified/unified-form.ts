import * as z from 'zod/mini'
import type { TaskType, unifiedTaskTypes } from '../../../../contract/task-types/calls.ts'
import { syncTaskTypes } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import type { RequestOf } from '../../../lib/call.ts'
import { fieldErrors } from '../../../lib/form-errors.ts'
import { dependencyProblem, newValues, TypeForm, type TypeValues, valuesOf } from '../components/type-form.ts'
import { categoryOf } from './unified-filters.ts'

/** Values of the form: fields of all types and fields of single categories. The chunk size cannot be edited here. */
export type UnifiedValues = TypeValues & {
  task_category: string | null
  description: string
  is_active: boolean
  compiler_config_id: string | null
  cron_schedule: string
}

/** Initial values of a new type. */
export const newUnifiedValues = (): UnifiedValues => ({
  ...newValues(syncTaskTypes),
  task_category: null,
  description: '',
  is_active: true,
  compiler_config_id: null,
  cron_schedule: '',
})

/** Form values of a type. */
export const unifiedValuesOf = (type: TaskType): UnifiedValues => ({
  ...valuesOf(type),
  task_category: type.task_category,
  description: type.description,
  is_active: type.is_active,
  compiler_config_id: type.compiler_config_id === null ? null : String(type.compiler_config_id),
  cron_schedule: type.cron_schedule ?? '',
})

/** Whether types of a category can have a cron schedule. */
export const hasCron = (category: string | null) => category === 'source' || category === 'compiler'

/** Validation errors by field. */
export function unifiedProblems(
  values: UnifiedValues,
  types: readonly TaskType[],
  type_id: number | undefined,
): Record<string, string> {
  const dependency = dependencyProblem(
    types,
    type_id,
    values.depends_on_id,
    taskTypeMessages.circular_dependency,
  )
  const { task_category, compiler_config_id } = values
  return {
    ...fieldErrors(TypeForm)(values),
    ...(categoryOf(task_category) === undefined && { task_category: taskTypeMessages.category_required }),
    ...(dependency !== null && { depends_on_id: dependency }),
    ...(task_category === 'compiler' &&
      compiler_config_id === null && { compiler_config_id: taskTypeMessages.compiler_config_required }),
  }
}

/** Body of an update. Only compiler types have a configuration; sync types have no cron schedule. */
export function unifiedChanges(values: UnifiedValues) {
  const { chunk_size, ...settings } = TypeForm.parse(values)
  const { task_category, description, is_active, cron_schedule, compiler_config_id } = values
  return {
    ...settings,
    description,
    is_active,
    cron_schedule: hasCron(task_category) ? cron_schedule : null,
    compiler_config_id: task_category === 'compiler' ? Number(compiler_config_id) : null,
  }
}

/** Body of a new type. Throws without a category. */
export const unifiedBody = (values: UnifiedValues): RequestOf<typeof unifiedTaskTypes.create>['body'] => ({
  ...unifiedChanges(values),
  task_category: z.enum(['sync', 'source', 'compiler']).parse(values.task_category),
})
