import { Loader, UnstyledButton } from '@mantine/core'
import { IconCircleCheck, IconCircleDashedCheck, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messages } from '../../../../contract/messages.ts'
import type { SyncTask } from '../../../../contract/sync-tasks.ts'
import { readinessQuery } from '../api.ts'
import { useCheckReadiness } from './actions.ts'
import classes from './readiness.module.css'
import { displayName } from './wording.ts'

const looks = {
  unknown: { Icon: IconCircleDashedCheck, label: 'Check' },
  ready: { Icon: IconCircleCheck, label: messages.ready },
  not_ready: { Icon: IconCircleX, label: messages.not_ready },
}

/** What the last check of the source said, with the kind of source; a click checks it again. */
export function Readiness({ task, className }: { task: SyncTask; className: string | undefined }) {
  const { data, isFetching } = useQuery({ ...readinessQuery(task.id), enabled: false })
  const check = useCheckReadiness(task)
  const state = data ? (data.ready ? 'ready' : 'not_ready') : 'unknown'
  const { Icon, label: said } = looks[state]
  const label = isFetching ? 'Checking' : said
  const kind = (data ?? task).source_type === 'internal' ? messages.internal_db : messages.google_sheet
  return (
    <div className={className} data-told={isFetching || data !== undefined || undefined}>
      <UnstyledButton
        className={classes.readiness}
        data-state={state}
        aria-label={`${label} ${kind}, source of ${displayName(task)}`}
        title={data?.message ?? 'Check whether the source can be read now'}
        onClick={() => !isFetching && check()}
      >
        {isFetching ? <Loader size={15} aria-label="Checking the source" /> : <Icon size={15} aria-hidden />}
        <span>
          {label} <small>{kind}</small>
        </span>
      </UnstyledButton>
    </div>
  )
}
