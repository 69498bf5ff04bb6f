import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { Book, type BookState, Sheet } from '../model/book.ts'
import { type CellFormat, FormatTable } from '../model/cell-format.ts'
import { CellError, type Content, type ErrorText, Formula, isErrorText } from '../model/content.ts'
import { Grid, Row } from '../model/grid.ts'
import { type Layers, noLayers } from '../model/layers.ts'

const Bounds = z.object({
  startRow: z.number(),
  endRow: z.number(),
  startColumn: z.number(),
  endColumn: z.number(),
})

const Area = Bounds.partial()
const Dimensions = z.array(
  z.tuple([
    z.number(),
    z.strictObject({ hiddenByUser: z.boolean().optional(), pixelSize: z.number().optional() }),
  ]),
)

const LayersJson = z.object({
  merges: z.array(Bounds),
  protectedRanges: z.array(
    z.object({
      protectedRangeId: z.number(),
      area: Area,
      unprotected: z.array(Area),
      editors: z.object({
        users: z.array(z.string()),
        groups: z.array(z.string()),
        domainUsersCanEdit: z.boolean(),
      }),
      warningOnly: z.boolean(),
      namedRangeId: z.string().optional(),
      description: z.string().optional(),
    }),
  ),
  filterViews: z.array(
    z.object({
      filterViewId: z.number(),
      title: z.string(),
      area: Area,
      rest: z.record(z.string(), z.unknown()),
    }),
  ),
  rows: Dimensions,
  columns: Dimensions,
})

const Properties = z.looseObject({ title: z.string() })

const Head = z.object({
  id: z.string(),
  state: z.object({
    title: z.string(),
    locale: z.string(),
    timeZone: z.string(),
    createdTime: z.string(),
    modifiedTime: z.string(),
    trashed: z.boolean(),
    owner: z.string(),
    readers: z.array(z.string()),
    writers: z.array(z.string()),
    namedRanges: z.array(
      Bounds.partial().extend({ namedRangeId: z.string(), name: z.string(), sheetId: z.number() }),
    ),
  }),
  formats: z.array(z.custom<CellFormat>((format) => typeof format === 'object' && format !== null)),
  sheets: z.array(
    z.object({
      id: z.number(),
      properties: Properties,
      rowCount: z.number(),
      columnCount: z.number(),
      basicFilter: z.object({ range: Bounds, rest: z.record(z.string(), z.unknown()) }).nullable(),
      notes: z.array(z.tuple([z.string(), z.string()])),
      /** Missing in files of earlier versions. */
      layers: LayersJson.optional(),
    }),
  ),
})

const ErrorCell = z.custom<{ e: ErrorText; m?: string }>(
  (cell) => typeof cell === 'object' && cell !== null && 'e' in cell && isErrorText(String(cell.e)),
)
const Cell = z.union([z.null(), z.string(), z.number(), z.boolean(), z.object({ f: z.string() }), ErrorCell])
const RowLine = z.tuple([
  z.number().int(),
  z.number().int(),
  z.array(Cell),
  z.array(z.number().int()).nullable(),
])

const LINES_PER_WRITE = 2000

/** Writes a state of the book to a new file. Concurrent changes of the book are not affected. */
export async function writeSnapshot(path: string, book: Book, state: BookState): Promise<void> {
  const { sheets, ...rest } = state
  const heads = sheets.map(({ id, properties, rowCount, columnCount, basicFilter, notes, layers }) => {
    const indexed = { ...layers, rows: [...layers.rows], columns: [...layers.columns] }
    return { id, properties, rowCount, columnCount, basicFilter, notes: [...notes], layers: indexed }
  })
  const file = await open(path, 'w')
  try {
    const head = { id: book.id, state: rest, formats: book.formats.all(), sheets: heads }
    await file.writeFile(`${JSON.stringify(head)}\n`)
    let lines: string[] = []
    for (const [number, sheet] of sheets.entries()) {
      for (const [index, row] of sheet.grid.rows.entries()) {
        if (row) lines.push(`${JSON.stringify([number, index, row.cells.map(packed), row.formats])}\n`)
        if (lines.length < LINES_PER_WRITE) continue
        await file.writeFile(lines.join(''))
        lines = []
      }
    }
    await file.writeFile(lines.join(''))
  } finally {
    await file.close()
  }
}

/** Reads a snapshot. Throws if the file is invalid. */
export async function readSnapshot(path: string): Promise<Book> {
  let head: z.infer<typeof Head> | null = null
  const rows: (Row | undefined)[][] = []
  const withFormulas = new Set<number>()
  const owner = {}
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (head === null) {
      head = Head.parse(JSON.parse(line))
      rows.push(...head.sheets.map(() => []))
      continue
    }
    const [number, index, cells, formats] = RowLine.parse(JSON.parse(line))
    const grid = rows[number]
    if (!grid) throw new Error(`${path}: a row of tab ${number}, which the snapshot does not have`)
    while (grid.length < index) grid.push(undefined)
    const contents = cells.map(unpacked)
    if (contents.some((content) => content instanceof Formula)) withFormulas.add(number)
    grid.push(new Row(contents, formats, owner))
  }
  if (head === null) throw new Error(`${path}: empty snapshot`)
  const formats = new FormatTable()
  for (const format of head.formats) formats.intern(format)
  const sheets = head.sheets.map(({ rowCount, columnCount, notes, layers, ...rest }, number) => {
    const grid = new Grid(rowCount, columnCount, rows[number], withFormulas.has(number))
    return new Sheet({ ...rest, grid, notes: new Map(notes), layers: layersOf(layers) }, formats)
  })
  return new Book(head.id, { ...head.state, sheets }, formats)
}

function layersOf(json: z.infer<typeof LayersJson> | undefined): Layers {
  return json ? { ...json, rows: new Map(json.rows), columns: new Map(json.columns) } : noLayers
}

function packed(content: Content): z.infer<typeof Cell> {
  if (content instanceof Formula) return { f: content.text }
  if (content instanceof CellError) return { e: content.text, ...(content.message && { m: content.message }) }
  return content
}

function unpacked(cell: z.infer<typeof Cell>): Content {
  if (cell === null || typeof cell !== 'object') return cell
  return 'f' in cell ? new Formula(cell.f) : new CellError(cell.e, cell.m)
}
