import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import type { WaitGroup } from '../../../../contract/runs/waits.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { waitsOfLines } from '../../../tasks/live/merge.ts'
import { statusNamed } from '../../../tasks/state/status.ts'
import { compileModel } from './model.ts'

/** Status label of a configuration. */
export const statusOf = (state: TaskState | undefined) =>
  statusNamed(compileModel, compileModel.statusOfRun(state?.state ?? null))

/** Replaces known states by newer ones. */
export function withStates(known: readonly TaskState[], newer: readonly TaskState[]): TaskState[] {
  const states = new Map(known.map((state) => [state.id, state]))
  for (const state of newer) states.set(state.id, state)
  return [...states.values()]
}

/** Replaces the wait reasons of queued compiles. */
export function withWaits(known: readonly TaskState[], lines: readonly WaitGroup[]): TaskState[] {
  const waits = new Map(waitsOfLines(lines).map((wait) => [wait.id, wait]))
  return known.map((state) => (state.state === 'queued' ? { ...state, ...waits.get(state.id) } : state))
}

/** Configurations whose compile ended between two updates. */
export function endedConfigs(
  configs: readonly CompilerConfig[],
  known: readonly TaskState[],
  newer: readonly TaskState[],
): CompilerConfig[] {
  const before = new Map(known.map((state) => [state.id, state]))
  const ended = new Set(
    newer
      .filter((now) => {
        const was = before.get(now.id)
        if (was === undefined || statusOf(now).is_live) return false
        return statusOf(was).is_live || was.last_triggered?.time !== now.last_triggered?.time
      })
      .map(({ id }) => id),
  )
  return configs.filter(({ task_id }) => ended.has(task_id))
}
