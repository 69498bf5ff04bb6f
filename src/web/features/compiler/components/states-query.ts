import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import { compilerRuns } from '../../../../contract/compiler/runs.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { call } from '../../../lib/call.ts'
import { announce } from '../../../ui/announcer.tsx'
import { configsQuery, recordsChanged } from '../api.ts'
import { endedConfigs, statusOf } from './compile-states.ts'

const queryKey = [compilerRuns.states.path] as const

/** What every configuration is at, by its task_id. */
export const statesQuery = queryOptions({
  queryKey,
  queryFn: async ({ client, signal }) => {
    const states = await call(compilerRuns.states, { signal })
    noteEnds(client, states)
    return states
  },
  meta: { failure: compilerMessages.states_failed },
})

/** Has what a compile has changed read again at its end, and says that it has ended. Called before these states take the place of what is known. */
export function noteEnds(client: QueryClient, newer: readonly TaskState[]): void {
  const known = client.getQueryData<TaskState[]>(queryKey) ?? []
  const configs = client.getQueryData(configsQuery.queryKey) ?? []
  for (const config of endedConfigs(configs, known, newer)) {
    announce(`${config.name}: ${statusOf(newer.find(({ id }) => id === config.task_id)).label}`)
    void recordsChanged(client, config.id)
  }
}
