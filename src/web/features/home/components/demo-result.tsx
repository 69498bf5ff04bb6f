import { Button, CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { limits } from '../../../../contract/limits.ts'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { type SyncTaskDetail, syncTasks } from '../../../../contract/sync-tasks/calls.ts'
import { call } from '../../../lib/call.ts'
import { useSpreadsheetUrl } from '../../../tasks/google/spreadsheet-link.tsx'
import type { Demo } from './demo.ts'
import classes from './demo-pipeline.module.css'

const LIVE: readonly SyncTaskDetail['task_status'][] = ['Pending', 'Queued', 'Running', 'Stopping']

/** How far the demo is; at its end, where its result is, and why one of its tasks has a warning. */
export function DemoResult({ demo, onClose }: { demo: Demo; onClose: () => void }) {
  const { data: task } = useQuery({
    queryKey: [syncTasks.get.path, demo.sync_task_id, 'demo'],
    queryFn: ({ signal }) => call(syncTasks.get, { params: { id: demo.sync_task_id }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || LIVE.includes(data.task_status) ? limits.status_poll_ms : false,
  })
  // Also after the task was deleted.
  if (task === undefined) return null
  const isLive = LIVE.includes(task.task_status)
  const { receipt } = task
  return (
    <section className={classes.demo} data-closable aria-labelledby="demo">
      <div>
        <h2 id="demo">
          {isLive
            ? messages.demo_runs
            : receipt
              ? messages.demo_done(receipt.rows, task.target_ss_name)
              : messages.demo_not_done}
        </h2>
        <p>
          {isLive ? messages.demo_runs_text : receipt ? messages.demo_warning : messages.demo_not_done_text}
        </p>
      </div>
      {!isLive && (
        <span className={classes.actions}>
          {receipt ? (
            <>
              <SeeResult task={task} />
              <Button variant="default" component={Link} to={`/compiler?tab=data&config=${demo.config_id}`}>
                {messages.demo_records}
              </Button>
            </>
          ) : (
            <Button component={Link} to={`/sync_tasks/${task.id}`}>
              {messages.demo_open}
            </Button>
          )}
        </span>
      )}
      <CloseButton className={classes.close} aria-label={messages.demo_close} onClick={onClose} />
    </section>
  )
}

function SeeResult({ task }: { task: SyncTaskDetail }) {
  const url = useSpreadsheetUrl(task.target_ss_id, task.target_tab_id)
  if (url === null) return null
  return (
    <Button component="a" href={url} target="_blank" rel="noreferrer">
      {messages.demo_result}
    </Button>
  )
}
