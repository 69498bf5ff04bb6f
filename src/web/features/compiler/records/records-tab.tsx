import { Button } from '@mantine/core'
import { IconChevronDown, IconDownload, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'

import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { EmptyState, LoadError, LoadingRows, NothingMatches } from '../../../ui/states.tsx'
import { recordsQuery } from '../api.ts'
import { ChosenFilters } from './chosen-filters.tsx'
import { Pager } from './pager.tsx'
import { fieldNames } from './record-fields.ts'
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

const SetSelectionDialog = lazy(async () => ({
  default: (await import('../overrides/set-selection-dialog.tsx')).SetSelectionDialog,
}))

const ExportMenuItems = lazy(async () => ({
  default: (await import('./export-menu-items.tsx')).ExportMenuItems,
}))

const ClearDialog = lazy(async () => ({ default: (await import('./clear-dialog.tsx')).ClearDialog }))

type Props = { config: CompilerConfig | null; picker: ReactNode }

/** Compiled records of a configuration; filters and page are in the URL. */
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
            onClick={() => save.mutate(false)}
          >
            Export CSV
          </Button>
          <MenuButton
            variant="default"
            size={36}
            label="Other exports"
            disabled={!config || save.isPending}
            items={<ExportMenuItems onExport={() => save.mutate(true)} />}
          >
            <IconChevronDown size={17} />
          </MenuButton>
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
  // Its dialog closes at once; the address names it until the navigation is done, and it would be read again.
  const [deleted, setDeleted] = useState<string | null>(null)
  const [setting, setSetting] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const set = (name: string, value: string | null) => {
    const next = new URLSearchParams(params)
    if (value === null) next.delete(name)
    else next.set(name, value)
    setParams(next)
  }
  const named = params.get('record')
  const opened = named === deleted ? null : named
  const is_filtered = Object.keys(filters).length > 0
  const total = query.data?.total_count ?? 0
  return (
    <section aria-label="Compiled records" aria-busy={query.isFetching}>
      {query.isError && (
        <LoadError message={compilerMessages.records_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows label="Loading the records" />}
      {query.data &&
        total === 0 &&
        (is_filtered ? (
          <NothingMatches
            title={compilerMessages.none_found}
            hint={compilerMessages.none_found_hint}
            onClear={() => setParams(withRecordFilters(params, {}))}
          />
        ) : (
          <EmptyState title={compilerMessages.none_compiled} hint={compilerMessages.none_compiled_hint} />
        ))}
      {query.data && total > 0 && (
        <>
          <Button className={classes.selection} variant="default" onClick={() => setSetting(true)}>
            {chosen.size > 0 ? overrideMessages.select_chosen(chosen.size) : overrideMessages.select}
          </Button>
          {chosen.size > 0 && (
            <Button className={classes.selection} variant="subtle" onClick={() => setChosen(new Set())}>
              {overrideMessages.choose_none}
            </Button>
          )}
          <RecordTable
            records={query.data.data}
            chosen={chosen}
            onChoose={(sku, isChosen) =>
              setChosen(
                (before) => new Set(isChosen ? [...before, sku] : [...before].filter((one) => one !== sku)),
              )
            }
            onOpen={(sku) => {
              setDeleted(null)
              set('record', sku)
            }}
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
            isDeleting={deleting === opened}
            onDelete={() => setDeleting(opened)}
            onClose={() => set('record', null)}
          />
        )}
        {setting && (
          <SetSelectionDialog
            config_id={config.id}
            filters={filters}
            fields={fieldNames(query.data?.data[0])}
            skus={[...chosen]}
            total={total}
            onClose={() => setSetting(false)}
          />
        )}
        {deleting !== null && (
          <DeleteRecordDialog
            config={config}
            sku={deleting}
            onDeleted={() => {
              setDeleted(deleting)
              if (opened !== null) set('record', null)
            }}
            onClose={() => setDeleting(null)}
          />
        )}
      </Suspense>
    </section>
  )
}
