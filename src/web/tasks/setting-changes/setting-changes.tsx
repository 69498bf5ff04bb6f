import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type SettingChange, settingChanges } from '../../../contract/setting-changes/calls.ts'
import { settingChangeMessages as messages } from '../../../contract/setting-changes/client-messages.ts'
import { call } from '../../lib/call.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment, formatMoment } from '../../lib/time-zone.ts'
import { disabledWithReason } from '../../ui/disabled-with-reason.ts'
import { LoadError, LoadingRows } from '../../ui/states.tsx'
import { type Revert, RevertDialog } from './revert-dialog.tsx'
import classes from './setting-changes.module.css'

type Props = {
  task_id: number
  /** `updated_at` of the task: a newer one loads the history again. */
  version: string
  /** Sends a revert and refreshes the task. */
  revert: Revert
}

/** Who changed which settings of a task, newest first, and the way back. */
export function SettingChanges({ task_id, version, revert }: Props) {
  return (
    <section className={classes.section} aria-labelledby="setting-changes">
      <h2 id="setting-changes">{messages.title}</h2>
      <ChangeList of="ofTask" id={task_id} version={version} revert={revert} />
    </section>
  )
}

type ListProps = { of: 'ofTask' | 'ofType'; id: number; version: string; revert: Revert }

/** Changes of the settings of a task or type, newest first. */
export function ChangeList({ of, id, version, revert }: ListProps) {
  const [reverting, setReverting] = useState<SettingChange | null>(null)
  const query = useInfiniteQuery({
    queryKey: [settingChanges[of].path, id, version],
    queryFn: ({ pageParam, signal }) =>
      call(settingChanges[of], {
        params: { id },
        query: pageParam === null ? {} : { cursor: pageParam },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
  const changes = query.data?.pages.flatMap((page) => page.changes) ?? []
  return (
    <>
      {query.isPending && <LoadingRows rows={2} label={messages.loading} />}
      {query.data && changes.length === 0 && (
        <p className={classes.none}>{of === 'ofTask' ? messages.empty : messages.empty_type}</p>
      )}
      {changes.length > 0 && (
        <ol className={classes.changes}>
          {changes.map((change) => (
            <Change key={change.id} change={change} onRevert={() => setReverting(change)} />
          ))}
        </ol>
      )}
      {query.isError && (
        <LoadError
          message={reasonOf(query.error, messages.load_failed)}
          onRetry={() => (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
        />
      )}
      {query.hasNextPage && !query.isError && (
        <Button
          variant="default"
          fullWidth
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          {messages.more}
        </Button>
      )}
      {reverting && (
        <RevertDialog
          change={reverting}
          version={version}
          revert={revert}
          onClose={() => setReverting(null)}
        />
      )}
    </>
  )
}

function Change({ change, onRevert }: { change: SettingChange; onRevert: () => void }) {
  const zone = useTimeZone()
  const when = formatMoment(change.at, zone)
  return (
    <li className={classes.change}>
      <div className={classes.head}>
        <p>
          <time dateTime={change.at} title={formatLongMoment(change.at, zone)}>
            {when}
          </time>{' '}
          <b>{change.actor ?? messages.rowferry}</b>{' '}
          <span className={classes.how}>{howOf(change, zone)}</span>
        </p>
        <Button
          variant="default"
          size="xs"
          aria-label={messages.revert_of(when)}
          {...disabledWithReason(change.not_revertible, onRevert)}
        >
          {messages.revert}
        </Button>
      </div>
      <table className={classes.fields}>
        <thead>
          <tr>
            <th scope="col">{messages.setting}</th>
            <th scope="col">{messages.before}</th>
            <th scope="col">{messages.after}</th>
          </tr>
        </thead>
        <tbody>
          {change.fields.map(({ field, label, before, after }) => (
            <tr key={field}>
              <th scope="row">{label}</th>
              <td data-label={messages.before}>{before}</td>
              <td data-label={messages.after}>{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </li>
  )
}

const howOf = ({ token, bulk, imported_from, is_undo, reverts }: SettingChange, zone: string) =>
  [
    token !== null && messages.token(token),
    imported_from !== null && messages.imported(imported_from),
    is_undo && messages.undo,
    bulk !== null && messages.bulk(bulk),
    reverts !== null && messages.reverts(formatMoment(reverts, zone)),
  ]
    .filter((part) => part !== false)
    .join(', ')
