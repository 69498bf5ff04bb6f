import type { CalendarEntry } from '../../../../contract/calendar/calls.ts'
import { calendarMessages as messages } from '../../../../contract/calendar/client-messages.ts'
import { type TaskTitle, taskTitle } from '../../../../contract/titles/task-title.ts'

type Named = Pick<CalendarEntry, 'kind' | 'category' | 'id' | 'name'>

/** Title of an entry. */
export const entryTitle = ({
  kind,
  category,
  id,
  name,
  sheets,
}: Named & Pick<CalendarEntry, 'sheets'>): TaskTitle =>
  kind === 'all' ? { title: messages.run_all[category], detail: '' } : taskTitle({ id, name, sheets })

/** Where the schedule of an entry is edited: its task, its type, or the settings. */
export function entryPath({ kind, category, id, name }: Named): string {
  if (kind === 'all') return '/settings'
  if (kind === 'task') return category === 'source' ? `/source_tasks/${id}` : `/sync_tasks/${id}`
  if (category === 'source') return `/source-task-types/${id}/edit`
  return `/unified-task-types?q=${encodeURIComponent(name)}`
}

/** Key of an entry in lists. */
export const entryKey = ({ kind, category, id }: Named) => `${kind} ${category} ${id}`
