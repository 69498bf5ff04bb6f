import {
  AlarmKind,
  isAddressOf,
  type Webhook,
  WebhookCreate,
  type WebhookFormat,
} from '../../../../contract/alarms/calls.ts'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'

/** Values of the form: ids are strings, empty fields are blank strings. */
export type WebhookValues = {
  name: string
  url: string
  format: WebhookFormat
  signing_key: string
  kinds: AlarmKind[]
  categories: TaskCategory[]
  task_type_ids: string[]
  quiet_from: string
  quiet_to: string
  tells_end: boolean
  is_active: boolean
}

/** Initial values of the form. */
export const valuesOf = (webhook: Webhook | null): WebhookValues => ({
  name: webhook?.name ?? '',
  url: '',
  format: webhook?.format ?? 'slack',
  signing_key: '',
  kinds: webhook?.kinds ?? AlarmKind.options.filter((kind) => kind !== 'warning'),
  categories: webhook?.categories ?? [],
  task_type_ids: (webhook?.task_type_ids ?? []).map(String),
  quiet_from: webhook?.quiet_from ?? '',
  quiet_to: webhook?.quiet_to ?? '',
  tells_end: webhook?.tells_end ?? true,
  is_active: webhook?.is_active ?? true,
})

/** Body of the call, with null for blank fields. */
const bodyOf = ({ task_type_ids, ...values }: WebhookValues) => ({
  ...values,
  signing_key: values.signing_key || null,
  quiet_from: values.quiet_from || null,
  quiet_to: values.quiet_to || null,
  task_type_ids: task_type_ids.map(Number),
})

/** Body of a new webhook. Throws if the form is invalid. */
export const createBody = (values: WebhookValues): WebhookCreate => WebhookCreate.parse(bodyOf(values))

/** Body of an update; a blank address keeps the stored one. */
export const updateBody = (values: WebhookValues, updated_at: string) => ({
  ...bodyOf(values),
  url: values.url || null,
  updated_at,
})

/** Validation errors by field. */
export function formErrors(values: WebhookValues, is_new: boolean): Record<string, string> {
  const faults: Record<string, string> = {}
  // An unchanged address is not validated.
  const stays = values.url === '' && !is_new
  const url = stays ? 'stays' : values.url
  const parsed = WebhookCreate.safeParse({ ...bodyOf(values), url })
  for (const { path, message } of parsed.error?.issues ?? []) faults[String(path[0])] ??= message
  if (!stays && !isAddressOf(values.format, values.url.trim())) faults.url = messages.address_invalid
  if ((values.quiet_from === '') !== (values.quiet_to === '')) faults.quiet_from = messages.quiet_both
  return faults
}
