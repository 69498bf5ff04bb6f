import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CellBlock } from '../../page-calls/wire.ts'
import { blockColumns, blockRows, cellBlock, cellsKey } from './api.ts'

export type CellView = { text: string; kind: string }
export type Visible = { firstRow: number; lastRow: number; firstColumn: number; lastColumn: number }

const blank: CellView = { text: '', kind: ' ' }

/** A look-up of the cells in view, read in blocks and read again when `version` changes; undefined while a block is on its way. */
export function useCells(bookId: string, tabId: number, version: number, visible: Visible) {
  const client = useQueryClient()
  const places = blocksIn(visible)
  const blocks = useQueries({ queries: places.map((place) => cellBlock(bookId, tabId, place)) })
  const byPlace = new Map(places.map(({ row, column }, i) => [`${row} ${column}`, blocks[i]?.data]))

  const outdated = blocks.some(({ data }) => data !== undefined && data.version < version)
  useEffect(() => {
    if (!outdated) return
    const isOlder = (data: unknown) => CellBlock.safeParse(data).data?.version !== version
    void client.invalidateQueries({
      queryKey: cellsKey(bookId, tabId),
      predicate: ({ state }) => isOlder(state.data),
    })
  }, [client, bookId, tabId, version, outdated])

  return (row: number, column: number): CellView | undefined => {
    const top = row - (row % blockRows)
    const left = column - (column % blockColumns)
    const block = byPlace.get(`${top} ${left}`)
    if (block === undefined) return undefined
    const text = block.shown[row - top]?.[column - left]
    return text === undefined || text === ''
      ? blank
      : { text, kind: block.kinds[row - top]?.[column - left] ?? 't' }
  }
}

function blocksIn({ firstRow, lastRow, firstColumn, lastColumn }: Visible) {
  const places: { row: number; column: number }[] = []
  for (let row = firstRow - (firstRow % blockRows); row <= lastRow; row += blockRows) {
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
