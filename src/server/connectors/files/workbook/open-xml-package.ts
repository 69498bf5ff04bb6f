import { fileMessages } from '../../../../contract/files/server-messages.ts'
import { namedArea, parseArea } from './cell-area.ts'
import { CellStyles, readStyles } from './number-formats.ts'
import { type Relationship, readPart, readRelationships } from './package-parts.ts'
import { broken, refusal } from './refusal.ts'
import type { DefinedName, WorkbookTab, WorkbookTable } from './workbook.ts'
import { attribute, attributes, decodeXml, relationshipId } from './xml-text.ts'
import type { ZipArchive } from './zip-archive.ts'

/** A tab and the name of its part. */
export type SheetPart = WorkbookTab & { part: string }

/** A table and the name of its part. */
export type TablePart = WorkbookTable & { part: string }

/** What the parts of an .xlsx file say about it. */
export type OpenXmlPackage = {
  zip: ZipArchive
  /** Name of the part that lists the tabs. */
  main: string
  relationships: readonly Relationship[]
  tabs: readonly SheetPart[]
  names: readonly DefinedName[]
  tables: readonly TablePart[]
  countsFrom1904: boolean
  styles: CellStyles
}

const isTrue = (text: string | undefined) => text === '1' || text === 'true' || text === 'on'

/** The part with this type of relationship; undefined if there is none. */
export const relatedPart = (
  { relationships }: Pick<OpenXmlPackage, 'relationships'>,
  type: string,
): string | undefined => relationships.find((relationship) => relationship.type === type)?.target

/** Reads everything except cells and shared texts. Throws OriginFailure. */
export async function readPackage(zip: ZipArchive): Promise<OpenXmlPackage> {
  const root = await readRelationships(zip, '')
  const main = root.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  if (main.endsWith('.bin')) throw refusal(fileMessages.binary_workbook(zip.file))
  if (!zip.entry(main)) throw refusal(fileMessages.not_a_workbook(zip.file))
  const relationships = await readRelationships(zip, main)
  const list = await readMain(zip, main)
  const tabs = list.sheets.map((sheet): SheetPart => sheetPart(zip, relationships, sheet))
  const stylesPart = relatedPart({ relationships }, 'styles')
  return {
    zip,
    main,
    relationships,
    tabs,
    names: list.names.map(({ text, name, scope }) => ({
      name,
      scope: scope === null ? null : (tabs[scope]?.name ?? null),
      ...namedArea(text),
    })),
    tables: (await Promise.all(tabs.map((tab) => readTables(zip, tab)))).flat(),
    countsFrom1904: list.countsFrom1904,
    styles: stylesPart && zip.entry(stylesPart) ? await readStyles(zip, stylesPart) : new CellStyles([]),
  }
}

type Sheet = { name: string; id: string; isHidden: boolean; relationship: string }
type NameText = { name: string; scope: number | null; text: string }

/** Reads the part that lists tabs and names. */
async function readMain(zip: ZipArchive, main: string) {
  const sheets: Sheet[] = []
  const names: NameText[] = []
  let countsFrom1904 = false
  let root: string | undefined
  let open: NameText | undefined
  await readPart(zip.source(main), {
    open(name, tag, closes) {
      root ??= name
      if (name === 'workbookPr') countsFrom1904 = isTrue(attribute(tag, 'date1904'))
      else if (name === 'sheet') {
        const given = attributes(tag)
        const isHidden = (given.get('state') ?? 'visible') !== 'visible'
        const relationship = relationshipId(tag) ?? ''
        sheets.push({ name: given.get('name') ?? '', id: given.get('sheetId') ?? '', isHidden, relationship })
      } else if (name === 'definedName' && !closes) {
        const scope = attribute(tag, 'localSheetId')
        open = {
          name: attribute(tag, 'name') ?? '',
          scope: scope === undefined ? null : Number(scope),
          text: '',
        }
      }
    },
    text(text, isLiteral) {
      if (open) open.text += isLiteral ? text : decodeXml(text)
    },
    close(name) {
      if (name === 'definedName' && open) names.push(open)
      if (name === 'definedName') open = undefined
    },
  })
  if (root !== 'workbook') throw refusal(fileMessages.not_a_workbook(zip.file))
  return { sheets, names, countsFrom1904 }
}

function sheetPart(
  zip: ZipArchive,
  relationships: readonly Relationship[],
  { name, id, isHidden, relationship }: Sheet,
): SheetPart {
  const found = relationships.find((one) => one.id === relationship)
  if (!found) throw broken(zip.file, fileMessages.part_missing(name))
  return { name, id, isHidden, isGrid: found.type === 'worksheet', part: found.target }
}

async function readTables(zip: ZipArchive, tab: SheetPart): Promise<TablePart[]> {
  const tables: TablePart[] = []
  if (!tab.isGrid || !zip.entry(tab.part)) return tables
  for (const { type, target } of await readRelationships(zip, tab.part)) {
    if (type !== 'table' || !zip.entry(target)) continue
    await readPart(zip.source(target), {
      open(name, tag) {
        const area = name === 'table' ? parseArea(attribute(tag, 'ref') ?? '') : null
        if (area === null) return
        tables.push({
          name: attribute(tag, 'displayName') ?? attribute(tag, 'name') ?? '',
          tab: tab.name,
          area,
          hasHeader: attribute(tag, 'headerRowCount') !== '0',
          hasTotals: Number(attribute(tag, 'totalsRowCount') ?? 0) > 0,
          part: target,
        })
      },
    })
  }
  return tables
}
