import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { CellBlock } from '../../page-calls/wire.ts'
import { blockColumns, blockRows, cellBlock, cellsKey } from './api.ts'

export type Visible = { firstRow: number; lastRow: number; firstColumn: number; lastColumn: number }

/** Blocks of the same hundred rows by first column. */
export type Band = ReadonlyMap<number, CellBlock>

const noBand: Band = new Map()
const readAhead = 60

/** Loads the visible cells in blocks and reloads them when `version` increases. A band without changes keeps its identity. */
export function useCells(
  bookId: string,
  tabId: number,
  version: number,
  visible: Visible,
): (row: number) => Band {
  const client = useQueryClient()
  const places = blocksIn(visible)
  const blocks = useQueries({
    queries: places.map((place) => cellBlock(bookId, tabId, place)),
    combine: dataOf,
  })

  const outdated = blocks.some((block) => block !== undefined && block.version < version)
  useEffect(() => {
    if (!outdated) return
    const isOlder = (data: unknown) => CellBlock.safeParse(data).data?.version !== version
    void client.invalidateQueries({
      queryKey: cellsKey(bookId, tabId),
      predicate: ({ state }) => isOlder(state.data),
    })
  }, [client, bookId, tabId, version, outdated])

  const placeKey = places.map(({ row, column }) => `${row} ${column}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: placeKey says whether places are the same
  const bands = useMemo(() => bandsOf(places, blocks), [placeKey, blocks])
  return (row) => bands.get(row - (row % blockRows)) ?? noBand
}

function dataOf(results: UseQueryResult<CellBlock>[]): (CellBlock | undefined)[] {
  return results.map(({ data }) => data)
}

function bandsOf(places: { row: number; column: number }[], blocks: (CellBlock | undefined)[]) {
  const bands = new Map<number, Map<number, CellBlock>>()
  for (const [i, { row, column }] of places.entries()) {
    const band = bands.get(row) ?? new Map<number, CellBlock>()
    bands.set(row, band)
    const block = blocks[i]
    if (block !== undefined) band.set(column, block)
  }
  return bands
}

/** Text and kind of a cell; undefined while loading. */
export function cellIn(band: Band, row: number, column: number): { text: string; kind: string } | undefined {
  const left = column - (column % blockColumns)
  const block = band.get(left)
  if (block === undefined) return undefined
  const text = block.shown[row % blockRows]?.[column - left] ?? ''
  return { text, kind: block.kinds[row % blockRows]?.[column - left] ?? ' ' }
}

function blocksIn({ firstRow, lastRow, firstColumn, lastColumn }: Visible) {
  const places: { row: number; column: number }[] = []
  const from = Math.max(0, firstRow - readAhead)
  for (let row = from - (from % blockRows); row <= lastRow + readAhead; row += blockRows) {
    for (
      let column = firstColumn - (firstColumn % blockColumns);
      column <= lastColumn;
      column += blockColumns
    ) {
      places.push({ row, column })
    }
  }
  return places
}
