import type { PipelineState } from '../../../../contract/pipeline/calls.ts'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Panel } from './panel.tsx'
import classes from './rows.module.css'

const names = { read: 'Reads', write: 'Writes' }

type Use = PipelineState['quota'][number]

/** Of the project's limit and that of its busiest account the one that is reached first. */
export function bindingLimit({ used, limit, account }: Use): { used: number; limit: number; of: string } {
  if (account && account.used / account.limit > used / limit)
    return { used: account.used, limit: account.limit, of: account.email }
  return { used, limit, of: messages.all_accounts }
}

/** How much of Google's quota is in use. */
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
