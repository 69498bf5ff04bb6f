import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { TaskType } from '../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../contract/task-types/client-messages.ts'
import { formatPart } from '../../lib/format.ts'
import { useAddress } from '../../lib/use-address.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows, NothingMatches } from '../../ui/states.tsx'
import { sourceTypes } from './api.ts'
import { NEW_PATH } from './components/type-paths.ts'
import { useSourceTypeFiles } from './files/source-type-files.tsx'
import { GraphButton } from './graph/graph-button.tsx'
import { TypeCards } from './list/type-cards.tsx'
import { TypeFilterBar } from './list/type-filter-bar.tsx'
import {
  filterTypes,
  groupsOf,
  readTypeFilters,
  type TypeFilters,
  writeTypeFilters,
} from './list/type-filters.ts'
import { TypeMarks } from './list/type-marks.tsx'
import { TypeMenu } from './list/type-menu.tsx'
import { useTypeNodes } from './list/use-type-nodes.ts'
import { useTypeOrder } from './list/use-type-order.ts'

const TypeTable = lazy(async () => ({ default: (await import('./list/type-table.tsx')).TypeTable }))

const TypeDialog = lazy(async () => ({ default: (await import('./components/type-dialog.tsx')).TypeDialog }))

const DeleteTypeDialog = lazy(async () => ({
  default: (await import('./components/delete-type-dialog.tsx')).DeleteTypeDialog,
}))

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; type: TaskType }

const none: TaskType[] = []

/** Source task types: schedules, dependencies and order. */
export function SourceTaskTypesScreen() {
  const query = useQuery(sourceTypes.query)
  const types = query.data ?? none
  const nodes = useTypeNodes()
  const [params, changeAddress] = useAddress()
  const filters = useMemo(() => readTypeFilters(params), [params])
  const [typed, setTyped] = useState<string | null>(null)
  const change = (part: Partial<TypeFilters>) =>
    changeAddress((before) => writeTypeFilters({ ...readTypeFilters(before), ...part }))
  const [reordering, setReordering] = useState(false)
  const reorder = useTypeOrder(sourceTypes)
  const files = useSourceTypeFiles()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const narrow = useMediaQuery('(max-width: 56em)', false, { getInitialValueInEffect: false })
  const wanted = useDeferredValue(typed === null ? filters : { ...filters, search: typed })
  const shown = useMemo(() => (reordering ? types : filterTypes(types, wanted)), [types, wanted, reordering])
  const groups = useMemo(() => groupsOf(types), [types])
  const places = useMemo(() => new Map(types.map(({ id }, place) => [id, place + 1])), [types])
  const [remove] = useState(() => (type: TaskType) => setOpen({ kind: 'delete', type }))
  return (
    <>
      <PageHeader
        title="Source Task Types"
        subtitle={query.data && formatPart(shown.length, types.length, 'type')}
      >
        <GraphButton category="source" />
        {files.buttons}
        <AddButton blocked={open !== null} onAdd={() => setOpen({ kind: 'add' })}>
          Add Type
        </AddButton>
      </PageHeader>
      {files.banner}
      {query.isError && (
        <LoadError message={sourceTypes.labels.fetch_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows rows={6} label="Loading source task types" />}
      {query.data?.length === 0 && (
        <EmptyState
          title={taskTypeMessages.no_source_task_types}
          hint={taskTypeMessages.no_source_task_types_hint}
        >
          <Button component={Link} to={NEW_PATH}>
            {taskTypeMessages.new_task_type}
          </Button>
        </EmptyState>
      )}
      {types.length > 0 && (
        <>
          <TypeFilterBar
            filters={filters}
            typed={typed}
            onType={setTyped}
            groups={groups}
            onChange={change}
            reordering={reordering}
            onReordering={setReordering}
          />
          {shown.length === 0 && (
            <NothingMatches
              title={taskTypeMessages.no_type_matches}
              onClear={() => changeAddress(() => new URLSearchParams())}
            />
          )}
          {shown.length > 0 && narrow && !reordering && (
            <TypeCards label="Source task types" types={shown} nodes={nodes} onDelete={remove} />
          )}
          {shown.length > 0 && (!narrow || reordering) && (
            <Suspense fallback={<LoadingRows rows={6} label="Loading source task types" />}>
              <TypeTable
                label="Source task types"
                types={shown}
                numbers={sourceTypes.numbers}
                placeOf={({ id }) => places.get(id) ?? 0}
                marks={(type) => <TypeMarks type={type} node={nodes.get(type.id)} />}
                more={(type) => <TypeMenu type={type} />}
                onEdit={(type) => setOpen({ kind: 'edit', type })}
                onDelete={remove}
                onReorder={reordering ? reorder : null}
              />
            </Suspense>
          )}
        </>
      )}
      <Suspense>
        {open?.kind === 'delete' && <DeleteTypeDialog api={sourceTypes} type={open.type} onClose={close} />}
        {open?.kind === 'add' && <TypeDialog api={sourceTypes} type={null} onClose={close} />}
        {open?.kind === 'edit' && <TypeDialog api={sourceTypes} type={open.type} onClose={close} />}
      </Suspense>
    </>
  )
}
