import { queryOptions } from '@tanstack/react-query'
import { tasksBulk } from '../../../contract/bulk/calls.ts'
import { type ReadyBy, type ReadyByBody, readyBy } from '../../../contract/forecast/calls.ts'
import { readyByMessages as messages } from '../../../contract/forecast/client-messages.ts'
import { call } from '../../lib/call.ts'

const REFRESH_MS = 60_000

/** What has to be ready, with its name. */
export type ReadySubject =
  | { kind: 'task' | 'type'; id: number; name: string }
  | { kind: 'spreadsheet'; spreadsheet_id: string; name: string }

/** All times by which something has to be ready, with their forecasts. */
export const readyByQuery = queryOptions({
  queryKey: [readyBy.list.path] as const,
  queryFn: ({ signal }) => call(readyBy.list, { query: {}, signal }),
  staleTime: REFRESH_MS / 2,
  refetchInterval: ({ state }) => (state.status === 'error' ? false : REFRESH_MS),
  meta: { failure: messages.load_failed },
})

/** The same, with forecasts of this moment. */
export const readFreshForecasts = () => call(readyBy.list, { query: { fresh: 'true' } })

/** Key of a subject among all. */
export const subjectKey = (
  subject: ReadySubject | Pick<ReadyBy, 'kind' | 'id' | 'spreadsheet_id'>,
): string =>
  subject.kind === 'spreadsheet' ? `spreadsheet ${subject.spreadsheet_id}` : `${subject.kind} ${subject.id}`

/** The subject of a deadline. */
export const subjectOf = ({ kind, id, spreadsheet_id, name }: ReadyBy): ReadySubject =>
  kind === 'spreadsheet' ? { kind, spreadsheet_id: spreadsheet_id ?? '', name } : { kind, id: id ?? 0, name }

/** Sets the time of a subject; null removes it. */
export function saveReadyBy(subject: ReadySubject, ready_by: string | null) {
  const body: ReadyByBody =
    subject.kind === 'spreadsheet'
      ? { kind: subject.kind, spreadsheet_id: subject.spreadsheet_id, ready_by }
      : { kind: subject.kind, id: subject.id, ready_by }
  return call(readyBy.save, { body })
}

/** Gives tasks other times of day. */
export const changeSchedules = ({ ids, scheduled_times }: ReadyBy['moves'][number]) =>
  call(tasksBulk.act, { body: { action: 'change_schedule', ids, scheduled_times } })
