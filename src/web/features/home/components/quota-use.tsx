import type { PipelineState } from '../../../../contract/pipeline.ts'
import { pipelineMessages as messages } from '../../../../contract/pipeline-messages.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Panel } from './panel.tsx'
import classes from './rows.module.css'

const names = { read: 'Reads', write: 'Writes' }

/** How much of Google's quota is in use. */
export const QuotaUse = ({ quota }: Pick<PipelineState, 'quota'>) => (
  <Panel title={messages.quota} detail={messages.quota_hint}>
    <ul className={classes.rows}>
      {quota.map(({ kind, used, limit, account }) => (
        <li key={kind} className={classes.quota}>
          <span>{names[kind]}</span>
          <ProgressBar percent={Math.min(100, (used / limit) * 100)} label={`${names[kind]} in use`} />
          <span>
            {used} of {limit}
          </span>
          {account && <small>{messages.busiest(account.email, account.used, account.limit)}</small>}
        </li>
      ))}
    </ul>
  </Panel>
)
