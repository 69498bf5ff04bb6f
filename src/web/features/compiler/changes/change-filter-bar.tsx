import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RecordChangeKind } from '../../../../contract/compiler/changes.ts'
import { compilerMessages as messages } from '../../../../contract/compiler/client-messages.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import { Choice } from '../../../ui/choice.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { qualityQuery } from '../api.ts'
import { unfiltered, type WantedChanges } from './change-filters.ts'

type Props = {
  config: CompilerConfig
  filters: WantedChanges
  onApply: (wanted: WantedChanges) => void
}

/** Filters by kind of change, source and field; each applies when it is changed. */
export function ChangeFilterBar({ config, filters, onApply }: Props) {
  const quality = useQuery(qualityQuery(config.id))
  const [typed, setTyped] = useState<string | null>(null)
  const set = (name: keyof WantedChanges) => (value: string | null) => {
    const { [name]: _, ...others } = filters
    onApply(value === null ? others : { ...others, [name]: value })
  }
  const isFiltered = Object.keys(unfiltered(filters)).length < Object.keys(filters).length
  const fields = quality.data?.fields.map(({ name }) => name) ?? []
  return (
    <FilterBar
      search={
        <SearchField
          label="Search SKU"
          placeholder="Search SKU"
          search={filters.sku_search ?? ''}
          typed={typed}
          onType={setTyped}
          onChange={(text) => set('sku_search')(text || null)}
        />
      }
      count={[filters.kind, filters.source, filters.field].filter(Boolean).length}
      onClear={isFiltered ? () => onApply(unfiltered(filters)) : null}
    >
      <Choice
        label="Change"
        all="All"
        options={RecordChangeKind.options.map((value) => ({ value, label: messages.change_kinds[value] }))}
        value={filters.kind ?? null}
        onChange={set('kind')}
      />
      <Choice
        label="Source"
        all="All"
        options={config.source_task_ids.map((id, n) => ({
          value: String(id),
          label: config.source_names[n] ?? messages.source_numbered(String(id)),
        }))}
        value={filters.source ?? null}
        onChange={set('source')}
      />
      <Choice
        label="Field"
        all="All"
        options={withChosen(fields, filters.field).map((name) => ({ value: name, label: name }))}
        value={filters.field ?? null}
        onChange={set('field')}
      />
    </FilterBar>
  )
}

/** A chosen field may be one that the records no longer have. */
const withChosen = (fields: readonly string[], chosen: string | undefined) =>
  chosen === undefined || fields.includes(chosen) ? fields : [...fields, chosen]
