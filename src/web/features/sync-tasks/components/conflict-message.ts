import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'

/** What a refused save says to a person, where a server tells of a conflict in a database's words. */
export function conflictMessage(text: string): string {
  if (!/unique constraint|duplicate/i.test(text)) return text
  const mentions = (...labels: string[]) => labels.every((word) => text.toLowerCase().includes(word))
  if (mentions('name', 'type')) return syncTaskMessages.name_taken
  return mentions('source', 'target') ? syncTaskMessages.source_target_taken : syncTaskMessages.task_conflict
}
