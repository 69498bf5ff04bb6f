import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { overrideMessages } from '../../../../contract/overrides/client-messages.ts'
import { usePathId } from '../../../lib/path-id.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Choice } from '../../../ui/choice.tsx'
import { CsvButtons } from '../../../ui/csv-buttons.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { EmptyState, LoadError, LoadingRows, NothingMatches } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'
import { configsQuery } from '../api.ts'
import { Pager } from '../records/pager.tsx'
import { DecideAll } from './decide-all.tsx'
import { OverrideTable } from './override-table.tsx'
import {
  type OverrideFilters,
  overrideParams,
  overridesQuery,
  readOverrideFilters,
} from './overrides-query.ts'

const ImportOverridesDialog = lazy(async () => ({
  default: (await import('./import-overrides-dialog.tsx')).ImportOverridesDialog,
}))

const stateLabels = {
  live: 'Not ended',
  active: 'Active',
  review: 'For review',
  waiting: 'Waiting for a source',
  ended: 'Ended',
} as const

/** All values that people set for fields of a configuration's records. */
export function OverridesScreen() {
  const id = usePathId() ?? 0
  const [params, setParams] = useSearchParams()
  const filters = readOverrideFilters(params)
  const [typed, setTyped] = useState<string | null>(null)
  const [importing, setImporting] = useState(false)
  const [exporting, setExporting] = useState(false)
  const config = useQuery(configsQuery).data?.find((one) => one.id === id)
  const query = useQuery(overridesQuery(id, filters))
  const change = (wanted: Partial<OverrideFilters>) =>
    setParams(overrideParams({ ...filters, page: 1, ...wanted }), { replace: true })
  const { page, ...named } = filters
  const chosen = Object.values(named).filter((value) => value !== undefined).length
  const counts = query.data?.counts
  const save = async () => {
    setExporting(true)
    await saveFile(compilerOverrides.exportCsv, { params: { id }, query: named }).catch(() =>
      toast.error(overrideMessages.load_failed),
    )
    setExporting(false)
  }
  const options = (names: readonly string[] = []) => names.map((name) => ({ value: name, label: name }))
  return (
    <>
      <PageHeader
        title={overrideMessages.title}
        {...(config && { detail: config.name })}
        subtitle={overrideMessages.subtitle}
        back={{ to: `/compiler/${id}`, label: 'Back to the configuration' }}
      >
        <CsvButtons
          onExport={() => void save()}
          isExporting={exporting}
          onImport={() => setImporting(true)}
          named_csv
        />
      </PageHeader>
      <FilterBar
        search={
          <SearchField
            label="Search overrides"
            placeholder="Search SKU, value or reason"
            search={filters.text ?? ''}
            typed={typed}
            onType={setTyped}
            onChange={(text) => change({ text: text || undefined })}
          />
        }
        count={chosen - (filters.text === undefined ? 0 : 1)}
        onClear={chosen > 0 ? () => setParams({}) : null}
      >
        <Choice
          label="State"
          all="All"
          options={Object.entries(stateLabels).map(([value, label]) => ({
            value,
            label: counts && value in counts ? `${label} (${counts[value as keyof typeof counts]})` : label,
          }))}
          value={filters.state ?? null}
          onChange={(state) =>
            change({ state: readOverrideFilters(new URLSearchParams({ state: state ?? '' })).state })
          }
        />
        <Choice
          label="Field"
          all="All"
          options={options(query.data?.fields)}
          value={filters.field ?? null}
          onChange={(field) => change({ field: field || undefined })}
        />
        <Choice
          label="Author"
          all="All"
          options={options(query.data?.authors)}
          value={filters.author ?? null}
          onChange={(author) => change({ author: author || undefined })}
        />
      </FilterBar>
      {query.isError && <LoadError message={overrideMessages.load_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={5} label="Loading the overrides" />}
      {query.data?.total_count === 0 &&
        (chosen > 0 ? (
          <NothingMatches title={overrideMessages.none_match} onClear={() => setParams({})} />
        ) : (
          <EmptyState title={overrideMessages.none_yet} hint={overrideMessages.none_yet_hint}>
            <Button leftSection={<IconUpload size={17} aria-hidden />} onClick={() => setImporting(true)}>
              Import CSV
            </Button>
          </EmptyState>
        ))}
      {query.data && query.data.total_count > 0 && (
        <>
          {(filters.state === 'review' || filters.state === 'active' || filters.state === 'waiting') && (
            <DecideAll config_id={id} filters={named} total={query.data.total_count} />
          )}
          <OverrideTable config_id={id} overrides={query.data.data} />
          <Pager
            page={page}
            total={query.data.total_count}
            things="overrides"
            onTurn={(to) => change({ page: to })}
          />
        </>
      )}
      <Suspense>
        {importing && <ImportOverridesDialog config_id={id} onClose={() => setImporting(false)} />}
      </Suspense>
    </>
  )
}
