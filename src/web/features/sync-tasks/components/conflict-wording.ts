import { messages } from '../../../../contract/page-messages.ts'

/** What a refused save says to a person, where a server tells of a conflict in a database's words. */
export function conflictWording(text: string): string {
  if (!/unique constraint|duplicate/i.test(text)) return text
  const mentions = (...words: string[]) => words.every((word) => text.toLowerCase().includes(word))
  if (mentions('name', 'type')) return messages.name_taken
  return mentions('source', 'target') ? messages.source_target_taken : messages.task_conflict
}
