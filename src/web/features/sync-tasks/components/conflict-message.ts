import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'

/** Message of a failed save; replaces the text of a unique-constraint violation. */
export function conflictMessage(text: string): string {
  if (!/unique constraint|duplicate/i.test(text)) return text
  const mentions = (...labels: string[]) => labels.every((word) => text.toLowerCase().includes(word))
  if (mentions('name', 'type')) return syncTaskMessages.name_taken
  return mentions('source', 'target') ? syncTaskMessages.source_target_taken : syncTaskMessages.task_conflict
}
