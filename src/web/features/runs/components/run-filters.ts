import * as z from 'zod/mini'
import type { ListedRun, TimelineRun } from '../../../../contract/all-runs/calls.ts'
import { RunTrigger } from '../../../../contract/runs/calls.ts'
import type { RunState } from '../../../../contract/runs/status.ts'
import { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import { stateChoices } from './run-labels.ts'

const DAY_MS = 86_400_000

/** Times by which the list is filtered, in milliseconds before now. */
export const sinceChoices = [
  { value: '1h', label: 'Last hour', ms: DAY_MS / 24 },
  { value: '24h', label: 'Last 24 hours', ms: DAY_MS },
  { value: '7d', label: 'Last 7 days', ms: 7 * DAY_MS },
  { value: '30d', label: 'Last 30 days', ms: 30 * DAY_MS },
] as const

const since = z.enum(['1h', '24h', '7d', '30d', 'between'])
export type Since = z.infer<typeof since>

/** Which runs are shown; kept in the address. Null: all. */
export type RunFilters = {
  search: string
  state: (typeof stateChoices)[number]['value'] | null
  category: TaskCategory | null
  task_type_id: number | null
  task_id: number | null
  trigger: RunTrigger | null
  user_id: number | null
  since: Since | null
  /** Moments, used if `since` is `between`. */
  from: string | null
  to: string | null
}

const id = (text: string | null) => (text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null)
const moment = (text: string | null) => z.iso.datetime().safeParse(text).data ?? null

/** Filters that an address holds; what it says wrongly is ignored. */
export const readRunFilters = (params: URLSearchParams): RunFilters => ({
  search: params.get('q') ?? '',
  state: stateChoices.find(({ value }) => value === params.get('state'))?.value ?? null,
  category: TaskCategory.safeParse(params.get('category')).data ?? null,
  task_type_id: id(params.get('type')),
  task_id: id(params.get('task')),
  trigger: RunTrigger.safeParse(params.get('trigger')).data ?? null,
  user_id: id(params.get('user')),
  since: since.safeParse(params.get('time')).data ?? null,
  from: moment(params.get('from')),
  to: moment(params.get('to')),
})

/** The address with these filters; its other parameters stay. */
export function writeRunFilters(before: URLSearchParams, filters: RunFilters): URLSearchParams {
  const params = new URLSearchParams(before)
  const between = filters.since === 'between'
  const wanted = {
    q: filters.search,
    state: filters.state,
    category: filters.category,
    type: filters.task_type_id,
    task: filters.task_id,
    trigger: filters.trigger,
    user: filters.user_id,
    time: filters.since,
    from: between ? filters.from : null,
    to: between ? filters.to : null,
  }
  for (const [name, value] of Object.entries(wanted))
    value ? params.set(name, String(value)) : params.delete(name)
  return params
}

export const noFilters: RunFilters = readRunFilters(new URLSearchParams())

/** Whether a filter is set; `within`: filters of time count. */
export const isFiltered = (filters: RunFilters, { within }: { within: boolean }) =>
  writeRunFilters(new URLSearchParams(), within ? filters : { ...filters, since: null }).size > 0

const statesOf = ({ state }: RunFilters): readonly RunState[] | null =>
  stateChoices.find(({ value }) => value === state)?.states ?? null

/** First moment of the range of time, and the one after its last; null: open. */
function timesOf({ since, from, to }: RunFilters, now: number): { from: string | null; to: string | null } {
  if (since === 'between') return { from, to }
  const ms = sinceChoices.find(({ value }) => value === since)?.ms
  return { from: ms === undefined ? null : new Date(now - ms).toISOString(), to: null }
}

/** The filters as the call takes them. */
export function queryOf(filters: RunFilters, now: number) {
  const { category, task_type_id, task_id, trigger, user_id } = filters
  const { from, to } = timesOf(filters, now)
  const search = filters.search.trim().slice(0, 200)
  const states = statesOf(filters)
  return {
    ...(states && { state: states.join(',') }),
    ...(category && { category }),
    ...(task_type_id && { task_type_id: String(task_type_id) }),
    ...(task_id && { task_id: String(task_id) }),
    ...(trigger && { trigger }),
    ...(user_id && { user_id: String(user_id) }),
    ...(from && { from }),
    ...(to && { to }),
    ...(search && { search }),
  }
}

/** Whether a run passes the filters but for those of time. A run of the timeline has no message and no error to search. */
export function passes(run: TimelineRun | ListedRun, filters: RunFilters): boolean {
  const { category, task_type_id, task_id, trigger, user_id } = filters
  const states = statesOf(filters)
  const wanted = filters.search.trim().toLowerCase()
  const texts = [run.task_name, run.triggered_by, ...('error' in run ? [run.error, run.message] : [])]
  return (
    (states === null || states.includes(run.state)) &&
    (category === null || run.category === category) &&
    (task_type_id === null || run.task_type_id === task_type_id) &&
    (task_id === null || run.task_id === task_id) &&
    (trigger === null || run.trigger === trigger) &&
    (user_id === null || run.user_id === user_id) &&
    (wanted === '' || texts.some((text) => text?.toLowerCase().includes(wanted)))
  )
}

/** Whether a run was queued in the filters' range of time. */
export function passesTime({ queued_at }: { queued_at: string }, filters: RunFilters, now: number): boolean {
  const { from, to } = timesOf(filters, now)
  const at = Date.parse(queued_at)
  return (from === null || at >= Date.parse(from)) && (to === null || at < Date.parse(to))
}
