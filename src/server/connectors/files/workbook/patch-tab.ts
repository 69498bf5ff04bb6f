import { rm } from 'node:fs/promises'
import { posix } from 'node:path'
import { fileMessages } from '../../../../contract/files/server-messages.ts'
import { areaText, around, type CellArea, parseArea } from './cell-area.ts'
import { grownArea, grownTables } from './grown-areas.ts'
import {
  type AddedPart,
  EMPTY_SHEET,
  EMPTY_STYLES,
  emptyWorkbook,
  listParts,
  newSheet,
  refuseTabName,
  rewriteLists,
} from './new-parts.ts'
import { openForWriting } from './open-workbook.ts'
import {
  type OpenXmlPackage,
  readPackage,
  relatedPart,
  type SheetPart,
  type TablePart,
} from './open-xml-package.ts'
import type { TagChanges } from './raw-sheet.ts'
import { refusal } from './refusal.ts'
import { rewriteMain } from './rewrite-main.ts'
import { rewriteSheet } from './rewrite-sheet.ts'
import { notingHeaders, rewriteTable, type WrittenHeaders } from './rewrite-table.ts'
import { readMergedAreas } from './sheet-frame.ts'
import { StyleBook } from './style-book.ts'
import type { TabChange } from './tab-change.ts'
import type { WorkbookTab } from './workbook.ts'
import { type LastContent, type PartContent, writeZip, type ZipChanges } from './write-zip.ts'
import { attribute, withAttribute } from './xml-text.ts'
import { newPart, partName, type ZipArchive, zipOf } from './zip-archive.ts'

/** The tab to write: one of the workbook, or the name of a new one after its last. `new_id`: default the next one. */
export type WrittenTab = Pick<WorkbookTab, 'id' | 'name'> | { new_name: string; new_id?: string }

/**
 * Writes a copy of a workbook to `out`, which must not exist, with changed cells in one tab. All parts that need not change are
 * copied as they are packed. The calculation chain is dropped, and formulas are computed when the copy is opened. Throws
 * OriginFailure and leaves no copy behind.
 */
export async function patchTab(path: string, tab: WrittenTab, change: TabChange, out: string): Promise<void> {
  const parts = await openForWriting(path)
  try {
    await patchPackage(parts, tab, change, out)
  } finally {
    await parts.zip.close()
  }
}

/** Writes a new workbook with one tab to `out`, which must not exist. Throws OriginFailure. */
export async function createWorkbook(
  file: string,
  tab: string,
  change: TabChange,
  out: string,
): Promise<void> {
  refuseTabName(tab)
  const parts = await readPackage(await zipOf(emptyWorkbook(tab), file))
  const [only] = parts.tabs
  if (only) await patchPackage(parts, only, change, out)
}

async function patchPackage(parts: OpenXmlPackage, tab: WrittenTab, change: TabChange, out: string) {
  const isNew = 'new_name' in tab
  const sheet = isNew ? newSheet(parts, tab.new_name, tab.new_id) : parts.tabs.find(({ id }) => id === tab.id)
  if (!sheet?.isGrid) throw refusal(fileMessages.not_a_grid(isNew ? tab.new_name : tab.name))
  try {
    await writeZip(out, parts.zip, await changesOf(parts, sheet, isNew, change))
    await parts.zip.refuseChanged()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      await rm(out, { force: true })
    throw error
  }
}

async function changesOf(
  parts: OpenXmlPackage,
  sheet: SheetPart,
  isNew: boolean,
  change: TabChange,
): Promise<ZipChanges> {
  const { zip, tables, countsFrom1904, main } = parts
  const ofTab = tables.filter(({ tab }) => tab === sheet.name)
  const grown = grownTables(ofTab, change.area)
  const headers: WrittenHeaders = new Map(ofTab.map(({ area }) => [area.top, new Map()]))
  const { styles, source: stylesSource, isNew: hasNewStyles } = await openStyles(parts)
  const content = rewriteSheet({
    source: isNew ? newPart(zip.file, sheet.part, EMPTY_SHEET) : zip.source(sheet.part),
    rows: notingHeaders(change.rows, headers),
    context: {
      tab: sheet.name,
      merged: isNew ? [] : await readMergedAreas(zip, sheet.part),
      styles,
      countsFrom1904,
    },
    tags: tagsFor(change.area),
  })
  const chain = parts.relationships.filter(({ type }) => type === 'calcChain')
  const dropped = new Set(chain.map(({ target }) => partName(target)))
  const added: AddedPart[] = isNew ? [{ part: sheet.part, kind: 'worksheet' }] : []
  const list = await rewriteMain(parts, {
    added: isNew ? sheet : null,
    tab: parts.tabs.indexOf(sheet),
    written: change.area,
  })
  const newStyles = async () => (styles.isChanged ? styles.write(stylesSource) : null)
  return {
    dropped,
    written: new Map<string, PartContent>([
      [main, list],
      [sheet.part, content],
      ...(await rewriteLists(parts, { dropped, added })),
    ]),
    last: new Map([
      ...ofTab.map((table) => tableContent(zip, table, grown.get(table), headers)),
      [stylesSource.part, newStyles],
      // Whether new styles are needed is known when the cells are written.
      ...(hasNewStyles
        ? listParts(parts).map((part): [string, LastContent] => [
            part,
            async () => {
              const all = styles.isChanged
                ? [...added, { part: stylesSource.part, kind: 'styles' as const }]
                : added
              return (await rewriteLists(parts, { dropped, added: all })).get(part) ?? null
            },
          ])
        : []),
    ]),
  }
}

const tableContent = (
  zip: ZipArchive,
  table: TablePart,
  grown: CellArea | undefined,
  headers: WrittenHeaders,
): [string, LastContent] => [table.part, () => rewriteTable(zip, table, { grown, headers })]

/** The styles of a workbook, or new ones for a workbook that has none. */
async function openStyles({ zip, main, relationships, styles }: OpenXmlPackage) {
  const stated = relatedPart({ relationships }, 'styles')
  const isNew = stated === undefined || !zip.entry(stated)
  const part = stated ?? posix.join(posix.dirname(main), 'styles.xml')
  const source = isNew ? newPart(zip.file, part, EMPTY_STYLES) : zip.source(part)
  return { styles: await StyleBook.read(source, styles), source, isNew }
}

/** Tags around the rows: the stated extent, and a filter, grow with what is written. */
const tagsFor = (written: CellArea): TagChanges => ({
  head: (name, tag) => withArea(tag, name === 'dimension', (stated) => around(stated, written)),
  tail: (name, tag) => withArea(tag, name === 'autoFilter', (filter) => grownArea(filter, written)),
})

function withArea(tag: string, isMeant: boolean, change: (area: CellArea) => CellArea | null): string {
  const area = isMeant ? parseArea(attribute(tag, 'ref') ?? '') : null
  const changed = area && change(area)
  return changed ? withAttribute(tag, 'ref', areaText(changed)) : tag
}
