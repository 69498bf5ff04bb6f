import * as z from 'zod/mini'
import { Name } from '../../../../contract/fields.ts'
import { messages } from '../../../../contract/messages.ts'
import type { TaskType, TaskTypeCalls } from '../../../../contract/task-types.ts'

/** What the form holds; the id of the type it depends on is text, a cleared number is blank. */
export type TypeValues = {
  name: string
  allowed_concurrent_tasks: number | string
  depends_on_id: string | null
  queue_delay_seconds: number | string
  max_retries: number | string
  retry_delay_seconds: number | string
  chunk_size: number | string
}

/** Limits of the numbers, as the form's fields and their messages have them. */
export const ranges = {
  allowed_concurrent_tasks: { min: 1, max: 100 },
  queue_delay_seconds: { min: 0, max: 86_400 },
  max_retries: { min: 0, max: 100 },
  retry_delay_seconds: { min: 0, max: 86_400 },
  chunk_size: { min: 1, max: 100_000 },
} as const

const whole = (name: keyof typeof ranges) => {
  const { min, max } = ranges[name]
  const message = messages.whole_number(min, max)
  return z
    .int(message)
    .check(
      z.minimum(min, name === 'allowed_concurrent_tasks' ? messages.concurrent_minimum : message),
      z.maximum(max, message),
    )
}

type Settings = Pick<TaskType, keyof TypeValues>

/** The form, parsed into what is sent. */
export const TypeForm = z.object({
  name: Name,
  allowed_concurrent_tasks: whole('allowed_concurrent_tasks'),
  depends_on_id: z.pipe(
    z.nullable(z.string()),
    z.transform((id) => (id === null ? null : Number(id))),
  ),
  queue_delay_seconds: whole('queue_delay_seconds'),
  max_retries: whole('max_retries'),
  retry_delay_seconds: whole('retry_delay_seconds'),
  chunk_size: whole('chunk_size'),
})

/** The form of a new type: the contract's defaults. */
export const newValues = ({ create }: TaskTypeCalls): TypeValues =>
  valuesOf({ ...create.body.parse({ name: '-' }), name: '' })

/** A type as the form holds it. */
export function valuesOf({ name, depends_on_id, ...numbers }: Settings): TypeValues {
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
