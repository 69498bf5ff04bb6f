import { Button } from '@mantine/core'
import { IconColumns3, IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { authMessages } from '../../../contract/auth/client-messages.ts'
import type { DataColumns } from '../../../contract/tables.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { CallError } from '../../lib/call.ts'
import { formatCount, formatPart } from '../../lib/format.ts'
import { requestLogin } from '../../lib/login-request.ts'
import { usePathId } from '../../lib/path-id.ts'
import { errorFieldOf } from '../../lib/query-client.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment } from '../../lib/time-zone.ts'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { isMissing, taskQuery } from '../cache/task-queries.ts'
import { backToList, MissingTask } from '../page/missing-task.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import { columnsQuery, dataQuery } from './data-queries.ts'
import { nextSort, readTableView, type TableView, writeTableView } from './table-view.ts'
import { useExportData } from './use-export-data.ts'

// Loaded on demand: it includes the number formats, which no other screen uses.
const DataTable = lazy(async () => ({ default: (await import('./data-table.tsx')).DataTable }))

const ColumnsDialog = lazy(async () => ({
  default: (await import('./columns-dialog.tsx')).ColumnsDialog,
}))

/** The newest stored rows of a task. The page itself is public; its data needs a session. */
export function DataPage() {
  const id = usePathId()
  const { texts } = useDescriptor()
  return id === null ? <MissingTask title={texts.data} /> : <Data key={id} id={id} />
}

function Data({ id }: { id: number }) {
  const descriptor = useDescriptor()
  const title = descriptor.texts.data
  const query = useQuery(columnsQuery(descriptor, id))
  const { data, error } = query
  if (data && data.available_columns.length > 0) return <Rows id={id} columns={data} />
  if (isMissing(error)) return <MissingTask title={title} />
  const refused = error instanceof CallError && error.status === 401
  return (
    <>
      <PageHeader title={title} back={backToList(descriptor)} />
      {query.isPending && <LoadingRows label="Loading the columns" />}
      {data && <EmptyState title={taskMessages.no_data} />}
      {refused && (
        <EmptyState title={authMessages.login_required}>
          <Button onClick={() => requestLogin()}>Sign in</Button>
        </EmptyState>
      )}
      {error && !refused && (
        <LoadError
          message={errorFieldOf(error, taskMessages.columns_failed)}
          onRetry={() => query.refetch()}
        />
      )}
    </>
  )
}

function Rows({ id, columns }: { id: number; columns: DataColumns }) {
  const { total, version, number_formats, copied_at } = columns
  const [params, setParams] = useSearchParams()
  const view = useMemo(() => readTableView(params, columns), [params, columns])
  const show = (next: TableView) =>
    setParams(writeTableView(next, columns.default_selected_columns), { replace: true })
  const descriptor = useDescriptor()
  const title = descriptor.texts.data
  const task = useQuery({ ...taskQuery(descriptor, id), meta: {} }).data
  const named = task && descriptor.titleOf(task)
  const copy = useMemo(() => ({ id, version }), [id, version])
  // The rows of the previous order determine column widths until the new ones are loaded.
  const first = useQuery({ ...dataQuery(descriptor, copy, view, 0), placeholderData: keepPreviousData })
  const [choosing, setChoosing] = useState(false)
  const zone = useTimeZone()
  const saving = useExportData(id)
  const [typed, setTyped] = useState<string | null>(null)
  const found = view.search.trim() ? (first.data?.found ?? null) : null
  const subtitle = [
    found === null ? formatCount(total, 'row') : formatPart(found, total, 'row'),
    formatCount(columns.available_columns.length, 'column'),
    copied_at && `copied ${formatLongMoment(copied_at, zone)}`,
  ]
  return (
    <>
      <PageHeader
        title={named ? `${title} of ${named.title}` : title}
        {...(named && { detail: named.detail })}
        subtitle={subtitle.filter(Boolean).join(', ')}
        back={backToList(descriptor)}
      >
        <Button
          variant="default"
          leftSection={<IconDownload size={17} aria-hidden />}
          loading={saving.isPending}
          onClick={() => saving.mutate()}
        >
          Export Data
        </Button>
        <Button
          variant="default"
          leftSection={<IconColumns3 size={17} aria-hidden />}
          onClick={() => setChoosing(true)}
        >
          {taskMessages.select_columns}
        </Button>
      </PageHeader>
      <FilterBar
        search={
          <SearchField
            label="Search the data"
            placeholder="Search the data"
            search={view.search}
            typed={typed}
            onType={setTyped}
            onChange={(search) => show({ ...view, search })}
          />
        }
        count={0}
        onClear={null}
      />
      {first.isError && (
        <LoadError
          message={errorFieldOf(first.error, taskMessages.data_failed)}
          onRetry={() => first.refetch()}
        />
      )}
      {first.isPending && <LoadingRows rows={12} label="Loading the data" />}
      <Suspense fallback={<LoadingRows rows={12} label="Loading the data" />}>
        {first.data && found === 0 && <EmptyState level={3} title={taskMessages.no_rows_found} />}
        {first.data && found !== 0 && (
          <DataTable
            copy={copy}
            view={view}
            total={found ?? total}
            sample={first.data.rows}
            number_formats={number_formats}
            onSort={(column) => show(nextSort(view, column))}
          />
        )}
      </Suspense>
      <Suspense>
        {choosing && (
          <ColumnsDialog
            available={columns.available_columns}
            chosen={view.columns}
            onClose={() => setChoosing(false)}
            onChoose={(chosen) => {
              show({ ...view, columns: chosen })
              setChoosing(false)
            }}
          />
        )}
      </Suspense>
    </>
  )
}
