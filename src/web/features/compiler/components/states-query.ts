import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import { compilerRuns } from '../../../../contract/compiler/runs.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { call } from '../../../lib/call.ts'
import { announce } from '../../../ui/announcer.tsx'
import { configsQuery, recordsChanged } from '../api.ts'
import { endedConfigs, statusOf } from './compile-states.ts'

const queryKey = [compilerRuns.states.path] as const

/** State of each configuration, by task_id. */
export const statesQuery = queryOptions({
  queryKey,
  queryFn: async ({ client, signal }) => {
    const states = await call(compilerRuns.states, { signal })
    handleEndedCompiles(client, states)
    return states
  },
  meta: { failure: compilerMessages.states_failed },
})

/** Refetches the results of compiles that have ended and announces them. Call it before the newer states replace the known ones. */
export function handleEndedCompiles(client: QueryClient, newer: readonly TaskState[]): void {
  const known = client.getQueryData<TaskState[]>(queryKey) ?? []
  const configs = client.getQueryData(configsQuery.queryKey) ?? []
  for (const config of endedConfigs(configs, known, newer)) {
    announce(`${config.name}: ${statusOf(newer.find(({ id }) => id === config.task_id)).label}`)
    void recordsChanged(client, config.id)
  }
}
