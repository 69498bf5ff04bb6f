import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { RunProgress } from '../../../tasks/state/task-progress.tsx'
import { WarningMark } from '../../../tasks/state/warning-mark.tsx'
import { Badge } from '../../../ui/badge.tsx'
import classes from './compile-line.module.css'
import { statusOf } from './compile-states.ts'

type Props = { config: CompilerConfig; state: TaskState | undefined }

/** Status of a configuration: progress of the running compile, or result and time of the last one. */
export function CompileLine({ config, state }: Props) {
  const zone = useTimeZone()
  const { tone, label, is_live } = statusOf(state)
  const last = state?.last_successful_run
  return (
    <div className={classes.line}>
      <Badge tone={tone} label={label} />
      {state && <WarningMark task={state} />}
      <div className={classes.labels}>
        {state && is_live ? (
          <RunProgress task={{ ...state, name: config.name }} />
        ) : (
          <span title={state?.latest_log?.message}>
            {state?.state === 'failed' || state?.state === 'error'
              ? state.latest_log?.message
              : last && formatMoment(last, zone)}
          </span>
        )}
      </div>
    </div>
  )
}
