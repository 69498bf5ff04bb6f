import { z } from 'zod'
import type { CellChanges } from '../../cell-changes.ts'
import { type Change, type CommitPart, OriginFailure } from '../../connector.ts'
import { a1Range } from '../a1.ts'
import { type BatchRequest, batchUpdate, batchUpdateAndRead, getSpreadsheet } from '../client/api.ts'
import { applyOnce } from '../client/apply-once.ts'
import { BatchReply, batchGridFields, DuplicatesReply, type Spreadsheet } from '../client/replies.ts'
import { readText } from '../client/session.ts'
import { createStagingTab, forgetStagingTab, stagingTabSize } from '../staging/staging-tab.ts'
import { type ApplyDeps, warningOf, writePlans } from './apply-change.ts'
import { COMMIT_BYTES, cellRequests } from './cell-requests.ts'
import { MAX_RESPONSE_CELLS, widthOf } from './commit.ts'
import { changedGrid, changeRequests, deletion } from './commit-requests.ts'
import { rangeOfHeader, rowsByTab } from './header-row.ts'
import type { TargetTab } from './target-tab.ts'

/** Google refuses the requests of several tabs together, as for merged cells under a proof, or has no room for them. */
class Refused extends Error {}

/** The change of one tab, to be committed with those of other tabs of its spreadsheet. */
export class TabPart implements CommitPart {
  readonly plan = writePlans.cells
  readonly fraction: number
  readonly tab: TargetTab
  readonly #deps: ApplyDeps
  readonly change: Change & { content: { kind: 'cells'; cells: CellChanges } }

  constructor(deps: ApplyDeps, change: Change, cells: CellChanges) {
    this.#deps = deps
    this.tab = deps.tab
    this.change = { ...change, content: { kind: 'cells', cells } }
    const { session, view } = deps.tab
    const { commitBytes = COMMIT_BYTES } = session.settings
    this.fraction = cellRequests(view.tab.sheet_id, view.start_row, cells).mostBytes / commitBytes
  }

  /** Removes a staging tab of an earlier worker, whose commit of this tab alone could still be applied. */
  removeStagingTab = (): Promise<void> => this.#deps.staging_tabs.removeStagingTab()

  async commitWith(others: readonly CommitPart[]): Promise<(string | null)[] | null> {
    const parts = [this, ...others.filter((part) => part instanceof TabPart)]
    if (parts.length <= others.length) throw new TypeError('Tabs of several providers have no common commit')
    try {
      return await commitTogether(this.#deps, parts)
    } catch (error) {
      const isTooLarge =
        error instanceof OriginFailure && (error.kind === 'too_large' || error.kind === 'request_too_large')
      if (!(error instanceof Refused) && !isTooLarge) throw error
      // Without its staging tab, the commit cannot be applied any more.
      await this.removeStagingTab()
      return null
    }
  }
}

/** Commits all parts in one batchUpdate, fenced by one staging tab, in which each part proves its header row and its size. */
async function commitTogether(deps: ApplyDeps, parts: readonly TabPart[]): Promise<(string | null)[]> {
  const { tab: first, spreadsheet_id } = deps
  const { session, commit_signal: signal } = first
  const update = (seen: Spreadsheet) => {
    for (const { tab } of parts) tab.view.update(seen)
  }
  for (const part of parts) await part.removeStagingTab()
  const id = await createCheckedStagingTab(deps, parts, update)
  const present = parts.filter(({ tab }) => tab.view.tab.exists)
  const sent = parts.map(({ tab: { view, watch, reader }, change }) => {
    reader.setPrefetched(null)
    const proof = watch.proof(view.tab, widthOf(change), signal)
    const grid = changedGrid(view.tab, view.start_row, change)
    return { view, reader, change, proof, grid, isPresent: view.tab.exists, requests: [] as BatchRequest[] }
  })
  await deps.context.progress({ phase: 'Committing' })
  await applyOnce(session, spreadsheet_id, {
    requests: (refused) => {
      if (!first.view.hasTab(id)) return []
      for (const { view } of sent) view.requireGridAsRead()
      if (refused) throw new Refused()
      const { grid = { rows: 1, columns: 1 } } = first.view.stagingTab(id)
      for (const part of sent) {
        const { view, change, proof } = part
        const staging_tab = { sheet_id: id, grid, guards: true, header_texts: proof.header_texts }
        part.requests = changeRequests(view.tab, view.start_row, change, staging_tab)
      }
      return [...sent.flatMap(({ requests }) => requests), deletion({ sheet_id: id })]
    },
    onSpreadsheet: update,
    signal,
    send: async (requests) => {
      // The response cannot contain cells of tabs that do not exist yet.
      if (present.length === 0) return batchUpdate(session, spreadsheet_id, requests, signal)
      const { spreadsheet, rows, duplicates, isWhole } = await commitAndReadTabs(first, present, requests)
      for (const { view, reader, proof, change, ...part } of sent) {
        if (!part.isPresent) continue
        const isProved = part.requests.some((request) => 'deleteDuplicates' in request)
        const found = rows.get(view.tab.sheet_id) ?? null
        proof.recordResponse({
          ...{ spreadsheet, header: found?.row(0) ?? null },
          duplicates: isProved ? (duplicates.shift() ?? null) : null,
        })
        if (found && isWhole) reader.setPrefetched({ rows: found, columns: widthOf(change) + 1, grid: null })
      }
      return spreadsheet
    },
  })
  if (present.length < parts.length) update(await getSpreadsheet(session, spreadsheet_id, signal))
  await forgetStagingTab(deps, id)
  return Promise.all(
    sent.map(async ({ view, proof, grid }) => {
      const now = view.tab.grid
      const resized = now.rows > grid.rows || now.columns > grid.columns
      return warningOf(view.title, { resized, shifted: await proof.shifted() })
    }),
  )
}

/** Creates the staging tab of a commit. Throws OriginFailure `tab_gone` if columns were moved since the tabs were read. */
async function createCheckedStagingTab(
  deps: ApplyDeps,
  parts: readonly TabPart[],
  update: (seen: Spreadsheet) => void,
): Promise<number> {
  const present = parts.filter(({ tab }) => tab.view.tab.exists)
  const size = stagingTabSize({ rows: 0, columns: Math.max(...parts.map(({ change }) => change.columns)) })
  const { staging_tab, spreadsheet, headers } = await createStagingTab(deps, size, {
    ...{ seeded: false, resumable: false },
    headers: present.map(({ tab, change }) => tab.watch.row(tab.view.tab, widthOf(change))),
  })
  update(spreadsheet)
  for (const { tab, change } of present) {
    const header = headers?.get(tab.view.tab.sheet_id)
    if (!header) throw new Refused()
    tab.watch.compare(header, widthOf(change))
  }
  return staging_tab.id
}

/** Sends a commit whose response contains the committed rows, if they are few enough, or else the header rows. */
function commitAndReadTabs(
  { session, view: { spreadsheet_id }, commit_signal: signal }: TargetTab,
  parts: readonly TabPart[],
  requests: BatchRequest[],
) {
  const { cellsPerRead = MAX_RESPONSE_CELLS } = session.settings
  const cells = parts.reduce((sum, { change }) => sum + change.rows * widthOf(change), 0)
  const isWhole = cells <= Math.min(cellsPerRead, MAX_RESPONSE_CELLS)
  const ranges = parts.map(({ tab: { view, watch }, change }) =>
    isWhole
      ? a1Range(view.tab.title, { startRow: view.start_row, startColumn: 0, endColumn: widthOf(change) + 1 })
      : rangeOfHeader(watch.row(view.tab, widthOf(change))),
  )
  return batchUpdateAndRead(session, spreadsheet_id, requests, {
    ...{ ranges, signal, fields: batchGridFields },
    receive: async (body) => {
      const response: unknown = JSON.parse(await readText(body))
      return {
        spreadsheet: BatchReply.parse(response),
        rows: rowsByTab(Updated.parse(response).updatedSpreadsheet),
        duplicates: DuplicatesReply.parse(response),
        isWhole,
      }
    },
  })
}

const Updated = z.object({ updatedSpreadsheet: z.unknown() })
