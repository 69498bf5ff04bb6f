import { posix } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { fileMessages } from '../../../../contract/files/server-messages.ts'
import type { OpenXmlPackage, SheetPart } from './open-xml-package.ts'
import { relationshipsPart } from './package-parts.ts'
import { refusal } from './refusal.ts'
import { prefixOf, rewritePart } from './rewrite-part.ts'
import { attribute, encodeAttribute } from './xml-text.ts'
import { partName } from './zip-archive.ts'

/** A part that is added to a workbook. */
export type AddedPart = { part: string; kind: 'worksheet' | 'styles' }

/** Id of the relationship to an added part. No two parts have one name, so that tabs that are added one after the other differ. */
export const addedId = ({ part }: Pick<AddedPart, 'part'>): string =>
  `rowferry-${posix.basename(part, '.xml')}`

const TYPES = '[Content_Types].xml'
const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const RELATIONSHIP = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** A new workbook with one blank tab, as bytes. */
export function emptyWorkbook(tab: string): Uint8Array {
  const book = utils.book_new(utils.aoa_to_sheet([]), tab)
  return write(book, { type: 'buffer', bookType: 'xlsx', compression: true })
}

/** A sheet without cells. */
export const EMPTY_SHEET = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="${NAMESPACE}"><sheetData/></worksheet>`

/** Styles of a workbook that has none. */
export const EMPTY_STYLES = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="${NAMESPACE}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="1"><xf/></cellXfs></styleSheet>`

/** Names that Excel cannot give a tab. Throws OriginFailure. */
export function refuseTabName(name: string): void {
  if (name.length > 31 || !/^(?!')[^:\\/?*[\]\p{Cc}]+(?<!')$/u.test(name))
    throw refusal(fileMessages.tab_name_invalid(name))
}

/** A tab after the last one. Throws OriginFailure if the name is taken or invalid. `wanted_id`: if no other tab has it. */
export function newSheet({ zip, main, tabs }: OpenXmlPackage, name: string, wanted_id?: string): SheetPart {
  refuseTabName(name)
  const isTaken = tabs.some((tab) => tab.name.toLowerCase() === name.toLowerCase())
  if (isTaken) throw refusal(fileMessages.tab_exists(zip.file, name))
  const nextId = () => String(Math.max(0, ...tabs.map((tab) => Number(tab.id) || 0)) + 1)
  const isFree = wanted_id !== undefined && tabs.every((tab) => tab.id !== wanted_id)
  let number = tabs.length + 1
  const partOf = () => posix.join(posix.dirname(main), `worksheets/sheet${number}.xml`)
  while (zip.entry(partOf())) number += 1
  return { name, id: isFree ? wanted_id : nextId(), isHidden: false, isGrid: true, part: partOf() }
}

/** Names of the lists of parts. */
export const listParts = ({ main }: Pick<OpenXmlPackage, 'main'>): string[] => [
  TYPES,
  relationshipsPart(main),
]

/** The lists of parts, without dropped and with added ones; empty if nothing changes. Throws OriginFailure. */
export async function rewriteLists(
  { zip, main }: OpenXmlPackage,
  { dropped, added }: { dropped: ReadonlySet<string>; added: readonly AddedPart[] },
): Promise<Map<string, string>> {
  if (dropped.size === 0 && added.length === 0) return new Map()
  const types = await rewritePart(zip.source(TYPES), {
    open: (name, tag) =>
      name === 'Override' && dropped.has(partName(attribute(tag, 'PartName') ?? '')) ? '' : tag,
    close: (_name, tag, depth) =>
      (depth === 0 ? added.map((one) => typeTag(one, prefixOf(tag))).join('') : '') + tag,
  })
  const relationships = await rewritePart(zip.source(relationshipsPart(main)), {
    open: (name, tag) =>
      name === 'Relationship' && /\/calcChain$/.test(attribute(tag, 'Type') ?? '') ? '' : tag,
    close: (_name, tag, depth) =>
      (depth === 0 ? added.map((one) => relationshipTag(one, main, prefixOf(tag))).join('') : '') + tag,
  })
  return new Map([
    [TYPES, types],
    [relationshipsPart(main), relationships],
  ])
}

const typeTag = ({ part, kind }: AddedPart, prefix: string) =>
  `<${prefix}Override PartName="/${encodeAttribute(part)}" ContentType="${CONTENT_TYPE}.${kind}+xml"/>`

const relationshipTag = ({ part, kind }: AddedPart, main: string, prefix: string) =>
  `<${prefix}Relationship Id="${encodeAttribute(addedId({ part }))}" Type="${RELATIONSHIP}/${kind}" Target="${encodeAttribute(posix.relative(posix.dirname(main), part))}"/>`
