import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { openWarnings } from '../../../tasks/state/progress-labels.ts'
import { statusOf } from './compile-states.ts'
import { statesQuery } from './states-query.ts'

const TaskFailure = lazy(async () => ({
  default: (await import('../../../tasks/failures/task-failure.tsx')).TaskFailure,
}))

type Props = { config: CompilerConfig; state: TaskState | undefined }

/** Who works on the failure of a configuration's last compile, its mark, and the actions. */
export function CompileFailure({ config, state }: Props) {
  const client = useQueryClient()
  if (state === undefined) return null
  const { is_failure, is_live } = statusOf(state)
  const isFailed = is_failure === true
  if (is_live || (!isFailed && openWarnings(state).length === 0)) return null
  return (
    <Suspense>
      <TaskFailure
        task={state}
        category="compiler"
        isWarning={!isFailed}
        name={config.name}
        refetch={() => client.invalidateQueries(statesQuery)}
      />
    </Suspense>
  )
}
