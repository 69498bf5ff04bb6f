import type { PipelineState } from '../../../../contract/pipeline/calls.ts'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Panel } from './panel.tsx'
import classes from './rows.module.css'

const names = { read: 'Reads', write: 'Writes' }

type Use = PipelineState['quota'][number]

/** The limit that is reached first: the project's, or that of its busiest account. */
export function bindingLimit({ used, limit, account }: Use): { used: number; limit: number; of: string } {
  if (account && account.used / account.limit > used / limit)
    return { used: account.used, limit: account.limit, of: account.email }
  return { used, limit, of: messages.all_accounts }
}

/** Current use of Google's quota. */
export const QuotaUse = ({ quota }: Pick<PipelineState, 'quota'>) => (
  <Panel title={messages.quota} detail={messages.quota_hint}>
    <ul className={classes.rows}>
      {quota.map((use) => {
        const { used, limit, of } = bindingLimit(use)
        const name = names[use.kind]
        return (
          <li key={use.kind} className={classes.quota}>
            <span>{name}</span>
            <ProgressBar percent={Math.min(100, (used / limit) * 100)} label={`${name} in use`} />
            <span>
              {used} of {limit}
            </span>
            <small>{of}</small>
          </li>
        )
      })}
    </ul>
  </Panel>
)
