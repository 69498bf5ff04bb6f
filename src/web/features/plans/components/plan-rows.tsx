import { Button, Checkbox, NativeSelect, SegmentedControl } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Plan, type PlanPage, RowChangeKind } from '../../../../contract/plans/calls.ts'
import { planMessages as messages } from '../../../../contract/plans/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useAddress } from '../../../lib/use-address.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { type PlanFilters, planRowsQuery } from '../api.ts'
import classes from './plan-rows.module.css'
import { PlanTable } from './plan-table.tsx'

/** The rows of a plan, by kind and by text. Both are kept in the address. */
export function PlanRows({ plan }: { plan: Plan }) {
  const [params, changeAddress] = useAddress()
  const [typed, setTyped] = useState<string | null>(null)
  const [onlyChanged, setOnlyChanged] = useState(true)
  const filters: PlanFilters = {
    kind: RowChangeKind.safeParse(params.get('kind')).data ?? null,
    search: params.get('q') ?? '',
    tab: params.get('tab'),
  }
  const set = (name: 'kind' | 'q' | 'tab', value: string) =>
    changeAddress((before) => {
      const next = new URLSearchParams(before)
      if (value === '') next.delete(name)
      else next.set(name, value)
      return next
    })
  return (
    <section aria-label={messages.rows}>
      <div className={classes.tools}>
        <SegmentedControl
          aria-label={messages.kind_filter}
          className={classes.kinds}
          data={kindsOf(plan, filters.tab)}
          value={filters.kind ?? ''}
          onChange={(kind) => set('kind', kind)}
        />
        {plan.tabs.length > 0 && (
          <NativeSelect
            aria-label={messages.tab_filter}
            className={classes.tab}
            data={tabsOf(plan)}
            value={filters.tab ?? ''}
            onChange={(event) => set('tab', event.currentTarget.value)}
          />
        )}
        <SearchField
          label={messages.search}
          placeholder={messages.search}
          className={classes.search}
          search={filters.search}
          typed={typed}
          onType={setTyped}
          onChange={(search) => set('q', search)}
        />
        <Checkbox
          label={messages.only_changed}
          checked={onlyChanged}
          onChange={(event) => setOnlyChanged(event.currentTarget.checked)}
        />
      </div>
      <Found plan={plan} filters={filters} onlyChanged={onlyChanged} />
    </section>
  )
}

/** Choices of the filter: kinds that occur, with their counts. */
function kindsOf({ summary, tabs }: Plan, tab: string | null) {
  const { rows } = tabs.find(({ value }) => value === tab) ?? summary
  const kinds = RowChangeKind.options.filter((kind) => rows[kind] > 0)
  const all = kinds.reduce((sum, kind) => sum + rows[kind], 0)
  return [
    { value: '', label: messages.all_kinds(all) },
    ...kinds.map((kind) => ({ value: kind, label: messages.kind_count(messages.kinds[kind], rows[kind]) })),
  ]
}

/** Choices of the tab: those that change. */
const tabsOf = ({ tabs }: Plan) => [
  { value: '', label: messages.all_tabs(tabs.length) },
  ...tabs
    .filter(({ change }) => change !== 'unchanged')
    .map(({ value, sheet_name }) => ({ value, label: sheet_name })),
]

type Found = { plan: Plan; filters: PlanFilters; onlyChanged: boolean }

function Found({ plan, filters, onlyChanged }: Found) {
  const query = useInfiniteQuery({ ...planRowsQuery(plan.hash, filters), placeholderData: keepPreviousData })
  const { data, error } = query
  if (!data)
    return error ? (
      <LoadError message={reasonOf(error, messages.rows_failed)} onRetry={() => query.refetch()} />
    ) : (
      <LoadingRows rows={8} label={messages.loading} />
    )
  const pages: PlanPage[] = data.pages
  const rows = pages.flatMap((page) => page.rows)
  const [first] = pages
  if (!first || rows.length === 0)
    return <EmptyState title={messages.no_rows} hint={messages.no_rows_hint} level={2} />
  return (
    <>
      <PlanTable plan={plan} columns={first.columns} rows={rows} onlyChanged={onlyChanged} />
      {query.hasNextPage && (
        <Button
          variant="default"
          fullWidth
          mt={12}
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          {messages.more(first.total - rows.length)}
        </Button>
      )}
    </>
  )
}
