import { Button } from '@mantine/core'
import type { Plan } from '../../../../contract/plans/calls.ts'
import { versionMessages as messages } from '../../../../contract/versions/client-messages.ts'
import { useRestore } from '../../../tasks/actions/restore.ts'
import { WarningNotice } from '../../../ui/warning-notice.tsx'
import classes from './kept-edits.module.css'

type Props = { plan: Plan; restores: NonNullable<Plan['restores']> }

/** Cells that keep their edited values when a version is restored, and the way to restore them, too. */
export function KeptEdits({ plan, restores }: Props) {
  const restore = useRestore(plan.task_id)
  const { run_id, side, kept, deleted_cells } = restores
  if (kept.cells === 0 && deleted_cells === 0) return null
  const others = kept.cells - kept.addresses.length
  return (
    <div className={classes.notice}>
      <WarningNotice title={kept.cells > 0 ? messages.edited(kept.cells) : messages.deleted(deleted_cells)}>
        {kept.cells > 0 && (
          <p className={classes.cells}>
            {kept.addresses.join(', ')} {others > 0 && messages.more_cells(others)}
          </p>
        )}
        {kept.cells > 0 && deleted_cells > 0 && <p>{messages.deleted(deleted_cells)}</p>}
        {plan.state !== 'applied' && (
          <Button
            size="compact-sm"
            variant="default"
            loading={restore.isPending}
            onClick={() =>
              restore.mutate({ run_id: side === 'former' ? null : run_id, overwrite_edits: true })
            }
          >
            {messages.restore_edits(kept.cells + deleted_cells)}
          </Button>
        )}
      </WarningNotice>
    </div>
  )
}
