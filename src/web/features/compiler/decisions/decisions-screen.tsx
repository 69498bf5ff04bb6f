import { Button } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { decisionMessages as messages } from '../../../../contract/decisions/client-messages.ts'
import { usePathId } from '../../../lib/path-id.ts'
import { Choice } from '../../../ui/choice.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { EmptyState, LoadError, LoadingRows, NothingMatches } from '../../../ui/states.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { configsQuery } from '../api.ts'
import { Pager } from '../records/pager.tsx'
import classes from './decisions.module.css'
import {
  type DecisionFilters,
  decisionParams,
  disagreementsQuery,
  disputesQuery,
  readDecisionFilters,
  rulesQuery,
} from './decisions-query.ts'
import { RuleTable } from './rule-table.tsx'
import { SourceTable } from './source-table.tsx'
import { ValueTable } from './value-table.tsx'

const DecideAllDialog = lazy(async () => ({
  default: (await import('./decide-all-dialog.tsx')).DecideAllDialog,
}))

const views = [
  { name: 'value', label: 'By value' },
  { name: 'source', label: 'By source' },
  { name: 'rules', label: 'Rules' },
] as const

const stateLabels = { open: 'Open', decided: 'Decided', all: 'All' } as const

type Change = (wanted: Partial<DecisionFilters>) => void
type Props = { id: number; filters: DecisionFilters; onChange: Change }

/** Where the sources of a configuration disagree, and the rules that decide it. */
export function DecisionsScreen() {
  const id = usePathId() ?? 0
  const [params, setParams] = useSearchParams()
  const filters = readDecisionFilters(params)
  const [typed, setTyped] = useState<string | null>(null)
  const config = useQuery(configsQuery).data?.find((one) => one.id === id)
  const { data: known } = useQuery(
    disagreementsQuery(id, { ...filters, page: filters.view === 'value' ? filters.page : 1 }),
  )
  const change: Change = (wanted) =>
    setParams(decisionParams({ ...filters, page: 1, ...wanted }), { replace: true })
  const { view, state, field, source, text } = filters
  const count = [state === 'open' ? undefined : state, field, source].filter(Boolean).length
  const props = { id, filters, onChange: change }
  return (
    <>
      <PageHeader
        title={messages.title}
        {...(config && { detail: config.name })}
        subtitle={messages.subtitle}
        back={{ to: `/compiler/${id}`, label: 'Back to the configuration' }}
      />
      <FilterBar
        search={
          <SearchField
            label="Search decisions"
            placeholder="Search values"
            search={text ?? ''}
            typed={typed}
            onType={setTyped}
            onChange={(wanted) => change({ text: wanted || undefined })}
          />
        }
        count={count}
        onClear={
          count > 0 || text !== undefined
            ? () => setParams(decisionParams({ view, state: 'open', page: 1 }))
            : null
        }
      >
        {view === 'value' && (
          <Choice
            label="State"
            options={Object.entries(stateLabels).map(([value, label]) => ({ value, label }))}
            value={state}
            onChange={(wanted) =>
              change({ state: readDecisionFilters(new URLSearchParams({ state: wanted ?? '' })).state })
            }
          />
        )}
        <Choice
          label="Field"
          all="All"
          options={(known?.fields ?? []).map((name) => ({ value: name, label: name }))}
          value={field ?? null}
          onChange={(wanted) => change({ field: wanted || undefined })}
        />
        {view !== 'rules' && (
          <Choice
            label="Source"
            all="All"
            options={(known?.sources ?? []).map(({ source_task_id, name }) => ({
              value: String(source_task_id),
              label: name,
            }))}
            value={source ?? null}
            onChange={(wanted) => change({ source: wanted || undefined })}
          />
        )}
      </FilterBar>
      <Tabs label={messages.title} tabs={views} chosen={view} onChoose={(name) => change({ view: name })}>
        {view === 'value' && <Values {...props} />}
        {view === 'source' && <Sources {...props} />}
        {view === 'rules' && <Rules {...props} />}
      </Tabs>
    </>
  )
}

function Values({ id, filters, onChange }: Props) {
  const query = useQuery(disagreementsQuery(id, filters))
  const [deciding, setDeciding] = useState(false)
  const { data } = query
  const is_filtered =
    filters.field !== undefined || filters.source !== undefined || filters.text !== undefined
  return (
    <>
      <Listed
        query={query}
        filters={filters}
        things="disagreements"
        none={
          is_filtered || filters.state !== 'open' ? (
            <NothingMatches
              title={messages.none_match}
              onClear={() =>
                onChange({ state: 'open', field: undefined, source: undefined, text: undefined })
              }
            />
          ) : (
            <EmptyState title={messages.none_open} hint={messages.none_open_hint} />
          )
        }
        onChange={onChange}
      >
        <div className={classes.bar}>
          <p className={classes.hint}>{messages.by_value_hint}</p>
          {filters.state === 'open' && data && (
            <Button variant="default" onClick={() => setDeciding(true)}>
              {messages.select_all(data.total_count)}
            </Button>
          )}
        </div>
        {data && <ValueTable config_id={id} disagreements={data.data} />}
      </Listed>
      <Suspense>
        {deciding && data && (
          <DecideAllDialog
            config_id={id}
            filters={filters}
            sources={data.sources}
            total={data.total_count}
            onClose={() => setDeciding(false)}
          />
        )}
      </Suspense>
    </>
  )
}

function Sources({ id, filters, onChange }: Props) {
  const query = useQuery(disputesQuery(id, filters))
  return (
    <Listed
      query={query}
      filters={filters}
      things="rows"
      none={<EmptyState title={messages.no_disputes} hint={messages.no_disputes_hint} />}
      onChange={onChange}
    >
      <p className={classes.hint}>{messages.by_source_hint}</p>
      {query.data && <SourceTable config_id={id} disputes={query.data.data} />}
    </Listed>
  )
}

function Rules({ id, filters, onChange }: Props) {
  const query = useQuery(rulesQuery(id, filters))
  return (
    <Listed
      query={query}
      filters={filters}
      things="rules"
      none={<EmptyState title={messages.no_rules} hint={messages.no_rules_hint} />}
      onChange={onChange}
    >
      {query.data && <RuleTable config_id={id} rules={query.data.data} />}
    </Listed>
  )
}

type ListedProps = {
  query: UseQueryResult<{ total_count: number }>
  filters: DecisionFilters
  things: string
  none: ReactNode
  onChange: Change
  children: ReactNode
}

/** A page of a list in each of its states. */
function Listed({ query, filters, things, none, onChange, children }: ListedProps) {
  const total = query.data?.total_count
  return (
    <>
      {query.isError && <LoadError message={messages.load_failed} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={5} label="Loading the disagreements" />}
      {total === 0 && none}
      {total !== undefined && total > 0 && (
        <>
          {children}
          <Pager page={filters.page} total={total} things={things} onTurn={(page) => onChange({ page })} />
        </>
      )}
    </>
  )
}
