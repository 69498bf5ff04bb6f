import { Pill } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { allRunsMessages as messages } from '../../../../contract/all-runs/client-messages.ts'
import { RunTrigger } from '../../../../contract/runs/calls.ts'
import { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { midnight, momentOf, offsetAt } from '../../../lib/zone-time.ts'
import { Choice } from '../../../ui/choice.tsx'
import fields from '../../../ui/field.module.css'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { choicesQuery, runsQuery } from '../api.ts'
import classes from './run-filter-bar.module.css'
import {
  isFiltered,
  noFilters,
  type RunFilters,
  type Since,
  sinceChoices,
  writeRunFilters,
} from './run-filters.ts'
import { categoryLabels, nameOfRun, stateChoices, triggerLabels } from './run-labels.ts'

const ViewsMenu = lazy(async () => ({
  default: (await import('../../../tasks/views/views-menu.tsx')).ViewsMenu,
}))

type Props = {
  filters: RunFilters
  onChange: (change: Partial<RunFilters>) => void
  onClear: () => void
  /** False: the range of time is chosen elsewhere. */
  within: boolean
  /** Sets the filters of a saved view, query parameters. */
  onView: (query: string) => void
}

/** Search and filters of the runs, each with its label; `/` goes to the search. */
export function RunFilterBar({ filters, onChange, onClear, within, onView }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const { state, category, task_type_id, trigger, user_id, since } = filters
  const count = [state, category, task_type_id, trigger, user_id, within ? since : null].filter(
    (one) => one !== null,
  ).length
  const { types = [], users = [] } = useQuery(choicesQuery).data ?? {}
  const shown = types.filter(({ category }) => filters.category === null || category === filters.category)
  return (
    <FilterBar
      search={
        <SearchField
          label="Search runs"
          placeholder="Task, person, result or error"
          search={filters.search}
          typed={typed}
          onType={setTyped}
          onChange={(search) => onChange({ search })}
        />
      }
      count={count}
      onClear={
        isFiltered(filters, { within })
          ? () => {
              setTyped(null)
              onClear()
            }
          : null
      }
      end={
        <>
          {filters.task_id !== null && (
            <TaskPill id={filters.task_id} onClear={() => onChange({ task_id: null })} />
          )}
          <Suspense fallback={<span className={classes.views} />}>
            <ViewsMenu
              list="runs"
              query={writeRunFilters(new URLSearchParams(), filters).toString()}
              onChoose={(view) => {
                setTyped(null)
                onView(view)
              }}
            />
          </Suspense>
        </>
      }
    >
      <Choice
        label="Status"
        all="All"
        options={stateChoices}
        value={filters.state}
        onChange={(state) =>
          onChange({ state: stateChoices.find(({ value }) => value === state)?.value ?? null })
        }
      />
      <Choice
        label="Category"
        all="All"
        options={TaskCategory.options.map((value) => ({ value, label: categoryLabels[value] }))}
        value={filters.category}
        onChange={(category) =>
          onChange({ category: TaskCategory.safeParse(category).data ?? null, task_type_id: null })
        }
      />
      <Choice
        label="Type"
        all="All"
        options={shown.map(({ id, name, category }) => ({
          value: String(id),
          label: filters.category === null ? `${name} (${categoryLabels[category].toLowerCase()})` : name,
        }))}
        value={textOf(filters.task_type_id)}
        onChange={(type) => onChange({ task_type_id: type === null ? null : Number(type) })}
      />
      <Choice
        label="Started by"
        all="Anything"
        options={RunTrigger.options.map((value) => ({ value, label: triggerLabels[value] }))}
        value={filters.trigger}
        onChange={(trigger) => onChange({ trigger: RunTrigger.safeParse(trigger).data ?? null })}
      />
      <Choice
        label="Person"
        all="Anyone"
        options={users.map(({ id, email }) => ({ value: String(id), label: email }))}
        value={textOf(filters.user_id)}
        onChange={(user) => onChange({ user_id: user === null ? null : Number(user) })}
      />
      {within && <TimeFilter filters={filters} onChange={onChange} />}
    </FilterBar>
  )
}

/** The task whose runs alone are shown: its name as its last run has it. */
function TaskPill({ id, onClear }: { id: number; onClear: () => void }) {
  const runs = useInfiniteQuery({ ...runsQuery({ ...noFilters, task_id: id }), refetchOnMount: false }).data
  const run = runs?.pages[0]?.runs[0]
  const name = run ? nameOfRun(run) : messages.task_numbered(id)
  return (
    <Pill
      className={classes.pill}
      size="md"
      withRemoveButton
      onRemove={onClear}
      removeButtonProps={{ 'aria-label': messages.all_tasks, tabIndex: 0, 'aria-hidden': false }}
    >
      {name}
    </Pill>
  )
}

const textOf = (id: number | null) => (id === null ? null : String(id))

function TimeFilter({ filters, onChange }: Pick<Props, 'filters' | 'onChange'>) {
  const zone = useTimeZone()
  const choose = (since: Since | null) =>
    onChange(
      since === 'between'
        ? { since, from: new Date(midnight(serverNow(), zone)).toISOString(), to: null }
        : { since, from: null, to: null },
    )
  const options = [...sinceChoices, { value: 'between', label: 'Between…' } as const]
  return (
    <>
      <Choice
        label="Queued"
        all="Any time"
        options={options}
        value={filters.since}
        onChange={(since) => choose(options.find(({ value }) => value === since)?.value ?? null)}
      />
      {filters.since === 'between' && (
        <>
          <MomentField
            label="From"
            value={filters.from}
            zone={zone}
            onChange={(from) => onChange({ from })}
          />
          <MomentField label="To" value={filters.to} zone={zone} onChange={(to) => onChange({ to })} />
        </>
      )}
    </>
  )
}

type MomentProps = {
  label: string
  value: string | null
  zone: string
  onChange: (moment: string | null) => void
}

// The field shows the clock of the product's zone, whatever the browser's is.
function MomentField({ label, value, zone, onChange }: MomentProps) {
  const shown = value === null ? '' : wallOf(Date.parse(value), zone)
  return (
    <label className={fields.field}>
      <span className={fields.label}>{label}</span>
      <input
        className={fields.input}
        type="datetime-local"
        value={shown}
        onChange={(event) => {
          const wall = Date.parse(`${event.currentTarget.value}Z`)
          onChange(Number.isNaN(wall) ? null : new Date(momentOf(wall, zone)).toISOString())
        }}
      />
    </label>
  )
}

const wallOf = (moment: number, zone: string) =>
  new Date(moment + offsetAt(moment, zone)).toISOString().slice(0, 16)
