import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Version } from '../../../../contract/plans/calls.ts'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { versionMessages as messages } from '../../../../contract/versions/client-messages.ts'
import { formatBytes } from '../../../lib/format.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment, formatMoment } from '../../../lib/time-zone.ts'
import { useRestore } from '../../../tasks/actions/restore.ts'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import classes from './versions.module.css'
import { versionsQuery } from './versions-query.ts'

/** Changes of a task's target that are kept, with the way back. */
export function Versions({ task }: { task: SyncTask }) {
  const query = useQuery(versionsQuery(task))
  const restore = useRestore(task.id)
  const { versions = [], bytes = 0, limits } = query.data ?? {}
  const isMeasured = versions.every((version) => version.bytes !== null)
  return (
    <section className={classes.section} aria-labelledby="versions">
      <div className={classes.head}>
        <h2 id="versions">{messages.title}</h2>
        {versions.length > 0 && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconArrowBackUp size={15} aria-hidden />}
            aria-description={messages.undo_hint}
            loading={restore.isPending && restore.variables.run_id === null}
            onClick={() => restore.mutate({ run_id: null })}
          >
            {messages.undo}
          </Button>
        )}
      </div>
      {query.isPending && <LoadingRows rows={2} label={messages.loading} />}
      {query.isError && (
        <LoadError message={reasonOf(query.error, messages.load_failed)} onRetry={() => query.refetch()} />
      )}
      {query.data && versions.length === 0 && <p className={classes.none}>{messages.empty}</p>}
      {versions.length > 0 && limits && (
        <>
          <ol className={classes.versions}>
            {versions.map((version) => (
              <OneVersion
                key={version.run_id}
                task_id={task.id}
                version={version}
                isPending={restore.isPending && restore.variables.run_id === version.run_id}
                onRestore={() => restore.mutate({ run_id: version.run_id })}
              />
            ))}
          </ol>
          <p className={classes.none}>
            {messages.kept(limits.per_task, limits.days)} {totalOf(bytes, isMeasured)}
          </p>
        </>
      )}
    </section>
  )
}

type Props = { task_id: number; version: Version; isPending: boolean; onRestore: () => void }

function OneVersion({ task_id, version, isPending, onRestore }: Props) {
  const zone = useTimeZone()
  const { run_id, changed_at, rows, trigger, bytes } = version
  return (
    <li className={classes.version}>
      <div className={classes.text}>
        <p>
          <time dateTime={changed_at} title={formatLongMoment(changed_at, zone)}>
            {formatMoment(changed_at, zone)}
          </time>
          {' · '}
          <Link to={`/sync_tasks/${task_id}/plans/${run_id}`} aria-label={messages.what(run_id)}>
            {messages.run(run_id)}
          </Link>
          {' · '}
          {whatOf(version)}
        </p>
        <p className={classes.details}>
          {[messages.rows(rows), messages.by(trigger), sizeOf(bytes)].join(' · ')}
        </p>
      </div>
      <Button
        variant="default"
        size="xs"
        aria-label={messages.restore_of(run_id)}
        aria-description={messages.undo_hint}
        loading={isPending}
        onClick={onRestore}
      >
        {messages.restore}
      </Button>
    </li>
  )
}

function totalOf(bytes: number, isMeasured: boolean): string {
  if (isMeasured) return messages.take(formatBytes(bytes))
  return bytes > 0 ? messages.take_at_least(formatBytes(bytes)) : messages.takes_unknown
}

function sizeOf(bytes: Version['bytes']): string {
  if (bytes === null) return messages.not_measured
  return bytes > 0 ? messages.size(formatBytes(bytes)) : messages.no_size
}

/** What the run did: the first lines of its summary, which are the gravest. */
function whatOf({ restores, summary, cells_changed }: Version): string {
  const lines = summary?.lines.filter(({ level }) => level !== 'note').slice(0, 2) ?? []
  const what = lines.length > 0 ? lines.map(({ text }) => text).join('. ') : messages.cells(cells_changed)
  if (!restores) return what
  const did = restores.side === 'former' ? messages.undid : messages.restored
  return `${did(restores.run_id)}. ${what}`
}
