import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { TaskType } from '../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../contract/task-types/client-messages.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { Badge } from '../../ui/badge.tsx'
import { CardTable, type Column } from '../../ui/card-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows, NothingMatches } from '../../ui/states.tsx'
import { allTypesQuery, unifiedTypes } from './api.ts'
import { CategoryBadge } from './components/category.tsx'
import { GraphButton } from './graph/graph-button.tsx'
import { TypeWork } from './list/type-work.tsx'
import { useTypeNodes } from './list/use-type-nodes.ts'
import { UnifiedFilterBar } from './unified/unified-filter-bar.tsx'
import { queryOf, readUnifiedFilters, searchTypes, writeUnifiedFilters } from './unified/unified-filters.ts'

const UnifiedDialog = lazy(async () => ({
  default: (await import('./unified/unified-dialog.tsx')).UnifiedDialog,
}))

const DeleteTypeDialog = lazy(async () => ({
  default: (await import('./components/delete-type-dialog.tsx')).DeleteTypeDialog,
}))

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; type: TaskType }

/** Task types of all categories in one list. */
export function UnifiedTaskTypesScreen() {
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => readUnifiedFilters(params), [params])
  const query = useQuery({ ...allTypesQuery(queryOf(filters)), placeholderData: keepPreviousData })
  const types = useMemo(() => searchTypes(query.data ?? [], filters.search), [query.data, filters])
  const nodes = useTypeNodes()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const columns: [Column<TaskType>, ...Column<TaskType>[]] = [
    { label: 'Name', cell: ({ name }) => name },
    { label: 'Category', cell: ({ task_category }) => <CategoryBadge category={task_category} /> },
    {
      label: 'Description',
      cell: (type) => (
        <>
          {type.description}
          <TypeWork type={type} node={nodes.get(type.id)} withNext />
        </>
      ),
    },
    {
      label: 'Dependencies',
      cell: ({ dependencies }) => dependencies.map(({ name }) => name).join(', ') || 'None',
    },
    {
      label: 'Concurrent',
      place: 'end',
      cell: ({ allowed_concurrent_tasks }) => formatNumber(allowed_concurrent_tasks),
    },
    {
      label: 'Status',
      cell: ({ is_active }) => (
        <Badge tone={is_active ? 'success' : 'neutral'} label={is_active ? 'Active' : 'Inactive'} />
      ),
    },
    {
      label: 'Actions',
      place: 'corner',
      cell: (type) => (
        <>
          <ActionIcon
            aria-label={`Edit ${type.name}`}
            title="Edit"
            onClick={() => setOpen({ kind: 'edit', type })}
          >
            <IconPencil size={17} />
          </ActionIcon>
          <ActionIcon
            aria-label={`Delete ${type.name}`}
            title="Delete"
            onClick={() => setOpen({ kind: 'delete', type })}
          >
            <IconTrash size={17} />
          </ActionIcon>
        </>
      ),
    },
  ]
  return (
    <>
      <PageHeader title="Unified Task Types" subtitle={query.data && formatCount(types.length, 'type')}>
        <GraphButton />
        <AddButton blocked={open !== null} onAdd={() => setOpen({ kind: 'add' })}>
          {taskTypeMessages.create_task_type}
        </AddButton>
      </PageHeader>
      <UnifiedFilterBar filters={filters} onApply={(wanted) => setParams(writeUnifiedFilters(wanted))} />
      {query.isError && (
        <LoadError message={taskTypeMessages.load_task_types_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && <LoadingRows rows={6} label="Loading task types" />}
      {query.data &&
        types.length === 0 &&
        (Object.values(filters).some((filter) => filter !== '') ? (
          <NothingMatches title={taskTypeMessages.no_types_found} onClear={() => setParams({})} />
        ) : (
          <EmptyState title={taskTypeMessages.no_types_found} />
        ))}
      {types.length > 0 && (
        <CardTable label="Task types" columns={columns} rows={types} keyOf={({ id }) => id} />
      )}
      <Suspense>
        {open?.kind === 'delete' && <DeleteTypeDialog api={unifiedTypes} type={open.type} onClose={close} />}
        {open?.kind === 'add' && <UnifiedDialog type={null} onClose={close} />}
        {open?.kind === 'edit' && <UnifiedDialog type={open.type} onClose={close} />}
      </Suspense>
    </>
  )
}
