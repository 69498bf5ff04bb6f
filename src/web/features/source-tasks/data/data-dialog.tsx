import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { limits } from '../../../../contract/limits.ts'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { sourceDialogMessages } from '../../../../contract/source-tasks/dialog-messages.ts'
import { CallError } from '../../../lib/call.ts'
import { formatNumber } from '../../../lib/format.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { dataPageQuery } from '../components/dialog-calls.ts'
import classes from './data-dialog.module.css'
import { DataRows } from './data-rows.tsx'

/** Whether a reply means that a task has no rows. */
export const saysNoData = (error: unknown) =>
  error instanceof CallError && (error.status === 404 || /not found/i.test(error.message))

type Props = { task: SourceTask; onClose: () => void }

/** The rows of a task in pages. */
export function DataDialog({ task, onClose }: Props) {
  const [size, setSize] = useState<number>(limits.source_data_page_size)
  const [page, setPage] = useState(1)
  const query = useQuery({ ...dataPageQuery(task.id, page, size), placeholderData: keepPreviousData })
  const { data, error } = query
  const missing = saysNoData(error)
  useEffect(() => {
    if (!error) return
    if (!missing) return toast.error(reasonOf(error, sourceMessages.load_failed))
    toast.info(sourceMessages.no_data)
    onClose()
  }, [error, missing, onClose])
  const pages = data ? Math.max(1, Math.ceil(data.total / size)) : 1
  const goTo = (to: number) => setPage(Math.min(Math.max(1, to), pages))
  return (
    <Dialog title={`View Data Copy: ${task.name}`} large onClose={onClose}>
      <div className={classes.body}>
        {error && !missing && (
          <LoadError message={reasonOf(error, sourceMessages.load_failed)} onRetry={() => query.refetch()} />
        )}
        {query.isPending && <LoadingRows label="Loading the data" />}
        {data && <DataRows page={data} busy={query.isFetching} />}
        <DialogFooter>
          <div className={classes.about}>
            {data && <span role="status">{rangeText(data.page, data.page_size, data.total)}</span>}
            <Link to={`/source_tasks/${task.id}/data_copy`}>Open all data</Link>
            {data?.columns.length === limits.source_data_columns && (
              <span>{sourceDialogMessages.first_columns(limits.source_data_columns)}</span>
            )}
          </div>
          <NativeSelect
            className={classes.size}
            aria-label="Rows a page"
            data={limits.source_data_page_sizes.map((rows) => ({
              value: String(rows),
              label: `${rows} rows`,
            }))}
            value={String(size)}
            onChange={({ currentTarget: { value } }) => {
              setSize(Number(value))
              setPage(1)
            }}
          />
          <Button variant="default" disabled={page <= 1} onClick={() => goTo(page - 1)}>
            Previous
          </Button>
          <Button variant="default" disabled={page >= pages} onClick={() => goTo(page + 1)}>
            Next
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}

/** Range of rows on a page: "Rows 101–200 of 12,345". */
export function rangeText(page: number, page_size: number, total: number): string {
  if (total === 0) return 'No rows'
  const first = (page - 1) * page_size + 1
  return `Rows ${formatNumber(first)}–${formatNumber(Math.min(total, page * page_size))} of ${formatNumber(total)}`
}
