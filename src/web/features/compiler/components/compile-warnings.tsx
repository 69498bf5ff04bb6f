import { useQueryClient } from '@tanstack/react-query'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { compilerRuns } from '../../../../contract/compiler/runs.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { call } from '../../../lib/call.ts'
import { WarningList } from '../../../tasks/state/warnings.tsx'
import { statusOf } from './compile-states.ts'
import { statesQuery } from './states-query.ts'

type Props = { config: CompilerConfig; state: TaskState | undefined }

/** Warnings of a configuration's last compile. */
export function CompileWarnings({ config, state }: Props) {
  const client = useQueryClient()
  if (state === undefined || statusOf(state).is_live) return null
  const params = { id: config.id }
  const actions = {
    acknowledge: (warning_ids: string[]) => call(compilerRuns.acknowledge, { params, body: { warning_ids } }),
    takeBack: (warning_ids: string[]) => call(compilerRuns.takeBack, { params, body: { warning_ids } }),
    refetch: () => client.invalidateQueries(statesQuery),
  }
  return <WarningList warnings={state.run_warnings} actions={actions} />
}
