import type { Run } from '../../../contract/runs/calls.ts'
import { StatusBadge } from '../state/status-badge.tsx'
import { useRunModel } from '../task-descriptor.tsx'

/** The state of a run in the words of its category. */
export const RunStatus = ({ run }: { run: Run }) => (
  <StatusBadge status={useRunModel().statusOfRun(run.state)} />
)
