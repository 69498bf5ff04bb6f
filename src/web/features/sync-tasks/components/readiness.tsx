import { Loader } from '@mantine/core'
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { messages } from '../../../../contract/messages.ts'
import type { SyncTask } from '../../../../contract/sync-tasks.ts'
import { readinessQuery } from '../api.ts'
import classes from './readiness.module.css'

/** What the last check of the source said, with the kind of source; a dash before the first one. */
export function Readiness({ task }: { task: SyncTask }) {
  const { data, isFetching } = useQuery({ ...readinessQuery(task.id), enabled: false })
  if (isFetching) return <Loader size={16} aria-label="Checking the source" />
  if (!data) return <span>–</span>
  const Icon = data.ready ? IconCircleCheck : IconCircleX
  return (
    <span className={classes.readiness} data-ready={data.ready} title={data.message}>
      <Icon size={15} aria-hidden />
      <span>
        {data.ready ? messages.ready : messages.not_ready}
        <small>{data.source_type === 'internal' ? messages.internal_db : messages.google_sheet}</small>
      </span>
    </span>
  )
}
