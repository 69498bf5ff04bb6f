import { randomUUID } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import type { NumberFormat } from '../../../src/contract/tables.ts'
import { builtInId } from '../../../src/server/connectors/files/workbook/number-formats.ts'
import { openWorkbook } from '../../../src/server/connectors/files/workbook/open-workbook.ts'
import { encodeAttribute, encodeText } from '../../../src/server/connectors/files/workbook/xml-text.ts'
import { cellAddress } from '../../../src/server/connectors/google-sheets/a1.ts'
import type { Cell } from '../spreadsheets.ts'

/** A tab of a workbook. `formats`: by the address of a cell. Formulas are lost when a book is stored again. */
export type BookTab = { id: number; name: string; rows: Cell[][]; formats: Map<string, NumberFormat> }

/** Reads the tabs of a workbook; only one of them if it is named. */
export async function readBook(path: string, only?: string): Promise<BookTab[]> {
  const workbook = await openWorkbook(path)
  try {
    const tabs: BookTab[] = []
    for (const tab of workbook.tabs) {
      const { name } = tab
      if (only !== undefined && name !== only) continue
      const read: BookTab = { id: Number(tab.id), name, rows: [], formats: new Map() }
      for await (const batch of workbook.readTab(tab))
        for (const { row, cells, styles } of batch) {
          while (read.rows.length < row - 1) read.rows.push([])
          read.rows.push(cells)
          for (const [column, style] of styles.entries()) {
            const format = workbook.format(style)
            if (format) read.formats.set(cellAddress(row - 1, column), format)
          }
        }
      tabs.push(read)
    }
    return tabs
  } finally {
    await workbook.close()
  }
}

/** Names of the tabs of a workbook, without reading their rows. */
export async function tabNames(path: string): Promise<string[]> {
  const workbook = await openWorkbook(path)
  await workbook.close()
  return workbook.tabs.map(({ name }) => name)
}

/** Stores a workbook as a spreadsheet program does: another file takes its place. Does not use the code that is tested. */
export async function storeBook(path: string, tabs: readonly BookTab[]): Promise<void> {
  const styles = new Map<string, { number: number; format: NumberFormat }>()
  const styleOf = (format: NumberFormat | undefined): number => {
    if (!format) return 0
    const key = JSON.stringify(format)
    const number = styles.get(key)?.number ?? styles.size + 1
    styles.set(key, { number, format })
    return number
  }
  const sheets = tabs.map((tab) => sheetXml(tab, styleOf))
  const zip = new ZipWriter(new Uint8ArrayWriter())
  const add = (name: string, xml: string) =>
    zip.add(name, new Uint8ArrayReader(Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${xml}`)), {
      level: 1,
    })
  await add('[Content_Types].xml', typesXml(tabs.length))
  await add('_rels/.rels', relationsXml([['officeDocument', 'xl/workbook.xml']]))
  await add('xl/workbook.xml', workbookXml(tabs))
  await add(
    'xl/_rels/workbook.xml.rels',
    relationsXml([
      ...tabs.map((_, n): [string, string] => ['worksheet', `worksheets/sheet${n + 1}.xml`]),
      ['styles', 'styles.xml'],
    ]),
  )
  for (const [n, xml] of sheets.entries()) await add(`xl/worksheets/sheet${n + 1}.xml`, xml)
  await add('xl/styles.xml', stylesXml([...styles.values()].map(({ format }) => format)))
  const next = join(dirname(path), `~${randomUUID()}.tmp`)
  writeFileSync(next, await zip.close())
  renameSync(next, path)
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function sheetXml({ rows, formats }: BookTab, styleOf: (format: NumberFormat | undefined) => number): string {
  const xml = rows.map((cells, row) => {
    const written = cells.map((cell, column) => {
      const address = cellAddress(row, column)
      const format = formats.get(address)
      const style = styleOf(format)
      const start = `<c r="${address}"${style === 0 ? '' : ` s="${style}"`}`
      if (cell === null || cell === '') return style === 0 ? '' : `${start}/>`
      if (typeof cell === 'number') return `${start}><v>${serialOf(cell, format)}</v></c>`
      if (typeof cell === 'boolean') return `${start} t="b"><v>${cell ? 1 : 0}</v></c>`
      return `${start} t="inlineStr"><is><t xml:space="preserve">${encodeText(cell)}</t></is></c>`
    })
    return `<row r="${row + 1}">${written.join('')}</row>`
  })
  return `<worksheet ${MAIN}><sheetData>${xml.join('')}</sheetData></worksheet>`
}

/** Excel counts a 29 February 1900, so that the numbers of dates before it are one lower than Google's. */
const serialOf = (value: number, format: NumberFormat | undefined) =>
  value < 61 && ['DATE', 'DATE_TIME'].includes(format?.type ?? '') ? value - 1 : value

const workbookXml = (tabs: readonly BookTab[]) =>
  `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets>${tabs
    .map(({ id, name }, n) => `<sheet name="${encodeAttribute(name)}" sheetId="${id}" r:id="rId${n + 1}"/>`)
    .join('')}</sheets></workbook>`

const relationsXml = (targets: [type: string, target: string][]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([type, target], n) => `<Relationship Id="rId${n + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

function typesXml(tabs: number): string {
  const parts = [
    ['/xl/workbook.xml', 'sheet.main'],
    ['/xl/styles.xml', 'styles'],
    ...Array.from({ length: tabs }, (_, n) => [`/xl/worksheets/sheet${n + 1}.xml`, 'worksheet']),
  ]
  const overrides = parts.map(
    ([part, kind]) => `<Override PartName="${part}" ContentType="${TYPE}.${kind}+xml"/>`,
  )
  return `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${overrides.join('')}</Types>`
}

function stylesXml(formats: readonly NumberFormat[]): string {
  const first = 164
  const own = formats.map(
    ({ pattern = '' }, n) => `<numFmt numFmtId="${first + n}" formatCode="${encodeAttribute(pattern)}"/>`,
  )
  const cells = formats.map(
    (format, n) => `<xf numFmtId="${builtInId(format) ?? first + n}" applyNumberFormat="1"/>`,
  )
  return `<styleSheet ${MAIN}>${own.length > 0 ? `<numFmts count="${own.length}">${own.join('')}</numFmts>` : ''}<fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${cells.length + 1}"><xf/>${cells.join('')}</cellXfs></styleSheet>`
}
