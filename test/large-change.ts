import { expect } from 'vitest'
import type { copyWorld } from './copy-world.ts'

type World = ReturnType<typeof copyWorld>

/** What one request takes, and how many of them read the table so. */
export const limits = { cellsPerRead: 2_000, commit_bytes: 250_000, requestBytes: 200_000 }
export const READS = 6

export const words = 'and some words more, '.repeat(4)
/** About 1.2 MB, two fifths of which have the mark: more than one commit carries of cells, and less than half of the table. */
export const table = (mark: string) =>
  Array.from({ length: 2_250 }, (_, row) =>
    Array.from({ length: 5 }, (_, column) => {
      const isOther = row > 0 && column < 2
      return `${isOther ? mark : 'row'} ${row}, column ${column}, ${words}`
    }),
  )

/** The request by which the hidden tab is filled, or what stands in it committed. */
export const seeding = (target: string) => ({ method: 'POST', path: new RegExp(`${target}:batchUpdate`) })

/** The hidden tabs that are on record. */
export const recorded = (of: World, target: string) =>
  of.db.selectFrom('staging_tabs').selectAll().where('spreadsheet_id', '=', target).execute()

/** Requests that have put rows into a hidden tab. */
export const stagedRequests = async (of: World, target: string) =>
  (await of.ledger()).filter(
    ({ path, spreadsheet_id, applied }) =>
      path.endsWith('values:batchUpdate') && spreadsheet_id === target && applied,
  ).length

export async function expectCopied(of: World, target: string, rows: unknown[][]) {
  expect(await of.values(target, 'Shop')).toEqual(rows)
  expect(await of.tabs(target)).toEqual(['Shop'])
  expect(await recorded(of, target)).toEqual([])
}

/** Whether its hidden tab is there for certain. */
export const isOpened = async (of: World, target: string) =>
  (await recorded(of, target)).some(({ seen }) => seen)

/** What a run has said of rows that it wrote once more. */
export const again = (log: string[]) => log.filter((line) => line.includes('Writing again'))
