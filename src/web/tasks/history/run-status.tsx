import { planMessages } from '../../../contract/plans/client-messages.ts'
import type { Run } from '../../../contract/runs/calls.ts'
import { Badge } from '../../ui/badge.tsx'
import { StatusBadge } from '../state/status-badge.tsx'
import { useRunModel } from '../task-descriptor.tsx'

/** Status of a run with the label of its category; a preview says that it is one. */
export const RunStatus = ({ run }: { run: Run }) => (
  <>
    <StatusBadge status={useRunModel().statusOfRun(run.state)} />
    {run.is_preview && (
      <>
        {' '}
        <Badge tone="light" label={planMessages.preview} />
      </>
    )}
  </>
)
