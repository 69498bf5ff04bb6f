import type { ScheduledTask } from '../../../../contract/schedules/calls.ts'

/** Entries that contain every word of the search, ignoring case. */
export function searchEntries(entries: readonly ScheduledTask[], search: string): ScheduledTask[] {
  const labels = search.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter(({ comment, command, schedule }) => {
    const text = `${comment} ${command} ${schedule}`.toLowerCase()
    return labels.every((word) => text.includes(word))
  })
}
