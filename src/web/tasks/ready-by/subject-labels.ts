import { readyByMessages as messages } from '../../../contract/forecast/client-messages.ts'
import type { ReadySubject } from './ready-by-calls.ts'

/** Name of a subject in a choice. */
export const subjectLabel = ({ kind, name }: ReadySubject): string =>
  kind === 'task' ? messages.subject.task : messages.subject[kind](name)
