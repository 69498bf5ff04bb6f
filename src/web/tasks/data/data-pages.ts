import { useDebouncedValue } from '@mantine/hooks'
import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { limits } from '../../../contract/limits.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { type DataCopy, type DataRow, dataQuery, forgetOldPages } from './data-queries.ts'
import type { TableView } from './table-view.ts'

/** The pages of stored rows that are loaded. */
export type DataPages = {
  /** A row by its index from 0; undefined until its page is loaded. */
  rowAt: (row: number) => DataRow | undefined
  loading: boolean
  error: Error | null
  retry: () => void
}

// Debounce: pages passed while the scroll bar is dragged are not requested.
const REST_MS = 60

/** Loads the first page, which determines column widths, and the visible pages; old pages are evicted from the cache. */
export function useDataPages(copy: DataCopy, view: TableView, in_sight: number[]): DataPages {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  const [settled] = useDebouncedValue(in_sight.join(), REST_MS, { leading: true })
  const numbers = [...new Set([0, ...settled.split(',').map(Number)])]
  const pages = useQueries({
    queries: numbers.map((page) => dataQuery(descriptor, copy, view, page * limits.data_page_size)),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every scroll position can make pages evictable
  useEffect(() => forgetOldPages(client, descriptor, copy.id), [client, copy.id, settled])
  const byNumber = new Map(numbers.map((number, index) => [number, pages[index]?.data]))
  const failed = pages.filter(({ isError }) => isError)
  return {
    rowAt: (row) => byNumber.get(Math.floor(row / limits.data_page_size))?.rows[row % limits.data_page_size],
    loading: pages.some(({ isFetching }) => isFetching),
    error: failed[0]?.error ?? null,
    retry: () => failed.forEach(retry),
  }
}

const retry = (page: UseQueryResult) => void page.refetch()
