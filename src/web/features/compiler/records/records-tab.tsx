import { Button } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { recordsQuery } from '../api.ts'
import { ChosenFilters } from './chosen-filters.tsx'
import { Pager } from './pager.tsx'
import { RecordFilterBar } from './record-filter-bar.tsx'
import {
  pageQuery,
  type RecordFilters,
  readPage,
  readRecordFilters,
  withRecordFilters,
} from './record-filters.ts'
import { RecordTable } from './record-table.tsx'
import classes from './records-tab.module.css'
import { useExport } from './use-export.ts'

const RecordDialog = lazy(async () => ({
  default: (await import('./record-dialog.tsx')).RecordDialog,
}))

const DeleteRecordDialog = lazy(async () => ({
  default: (await import('./delete-record-dialog.tsx')).DeleteRecordDialog,
}))

const ClearDialog = lazy(async () => ({ default: (await import('./clear-dialog.tsx')).ClearDialog }))

type Props = { config: CompilerConfig | null; picker: ReactNode }

/** What a configuration was compiled to; filters and page are in the address. */
export function RecordsTab({ config, picker }: Props) {
  const [params, setParams] = useSearchParams()
  const filters = readRecordFilters(params)
  const save = useExport(config, filters)
  const apply = (wanted: RecordFilters) => setParams(withRecordFilters(params, wanted))
  const [clearing, setClearing] = useState(false)
  return (
    <>
      <div className={classes.bar}>
        {config && picker}
        <RecordFilterBar filters={filters} onApply={apply} />
        <span className={classes.actions}>
          <Button
            variant="default"
            leftSection={<IconDownload size={17} aria-hidden />}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            Export CSV
          </Button>
          <Button
            variant="default"
            leftSection={<IconTrash size={17} aria-hidden />}
            disabled={!config}
            onClick={() => setClearing(true)}
          >
            Clear All Data
          </Button>
        </span>
        {config && <ChosenFilters config={config} filters={filters} onChange={apply} />}
      </div>
      {config ? (
        <Records key={config.id} config={config} filters={filters} />
      ) : (
        <EmptyState title={compilerMessages.choose_config} />
      )}
      <Suspense>
        {clearing && config && <ClearDialog config={config} onClose={() => setClearing(false)} />}
      </Suspense>
    </>
  )
}

function Records({ config, filters }: { config: CompilerConfig; filters: RecordFilters }) {
  const [params, setParams] = useSearchParams()
  const page = readPage(params)
  const query = useQuery(recordsQuery(config.id, pageQuery(filters, page)))
  const [deleting, setDeleting] = useState<string | null>(null)
  const set = (name: string, value: string | null) => {
    const next = new URLSearchParams(params)
    if (value === null) next.delete(name)
    else next.set(name, value)
    setParams(next)
  }
  const opened = params.get('record')
  const is_filtered = Object.keys(filters).length > 0
  const total = query.data?.total_count ?? 0
  return (
    <section aria-label="Compiled records" aria-busy={query.isFetching}>
      {query.isError && (
        <LoadError message={compilerMessages.records_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows label="Loading the records" />}
      {query.data && total === 0 && (
        <EmptyState
          title={is_filtered ? compilerMessages.none_found : compilerMessages.none_compiled}
          hint={is_filtered ? compilerMessages.none_found_hint : compilerMessages.none_compiled_hint}
        />
      )}
      {query.data && total > 0 && (
        <>
          <RecordTable
            records={query.data.data}
            onOpen={(sku) => set('record', sku)}
            onDelete={setDeleting}
          />
          <Pager page={page} total={total} onTurn={(to) => set('page', String(to))} />
        </>
      )}
      <Suspense>
        {opened !== null && (
          <RecordDialog
            config={config}
            sku={opened}
            onDelete={() => setDeleting(opened)}
            onClose={() => set('record', null)}
          />
        )}
        {deleting !== null && (
          <DeleteRecordDialog
            config={config}
            sku={deleting}
            onDeleted={() => opened !== null && set('record', null)}
            onClose={() => setDeleting(null)}
          />
        )}
      </Suspense>
    </section>
  )
}
