import { useQuery } from '@tanstack/react-query'
import { sourceMessages } from '../../../../contract/source-page-messages.ts'
import type { SourceTask } from '../../../../contract/source-tasks.ts'
import { tasksQuery } from '../../../tasks/cache/list-queries.ts'
import { sourceTaskModel } from './model.ts'
import { internalOrigin } from './wording.ts'

/** What it is called that an internal task fetches from: a task by its name, a configuration by its number; undefined for any other task. */
export function useOriginName({ source_type, source_identifier }: SourceTask): string | undefined {
  const origin = source_type === 'internal' ? internalOrigin(source_identifier) : null
  const task = useQuery({
    ...tasksQuery(sourceTaskModel),
    select: (tasks) => tasks.find(({ id }) => id === origin?.id)?.name,
    enabled: origin?.kind === 'task',
  }).data
  if (origin === null) return undefined
  return origin.kind === 'task'
    ? (task ?? sourceMessages.numbered(origin.id))
    : sourceMessages.config(origin.id)
}
