import { MAX_COLUMNS, MAX_ROWS } from './cell-area.ts'
import { xmlRefusal } from './package-parts.ts'
import { RawSheet, type TagChanges } from './raw-sheet.ts'
import { type MergeContext, SheetMerger } from './sheet-merger.ts'
import type { PatchRow, TabChange } from './tab-change.ts'
import { XmlTokens } from './xml-tokens.ts'
import type { PartSource } from './zip-archive.ts'

/** Characters per piece that is passed on. */
const PIECE_CHARACTERS = 131_072

type Rewrite = {
  /** The sheet as it is. */
  source: PartSource
  rows: TabChange['rows']
  context: MergeContext
  /** Changes of tags before and after the rows. */
  tags: TagChanges
}

/** Writes a sheet with changed cells, while it is read. Throws OriginFailure. */
export async function* rewriteSheet({ source, rows, context, tags }: Rewrite): AsyncGenerator<Uint8Array> {
  const sheet = new RawSheet(tags)
  const tokens = new XmlTokens(sheet)
  const merger = new SheetMerger(sheet, context)
  const patches = rowByRow(rows)
  let patch = await patches.next()
  let text = ''
  let hasHead = false
  for await (const piece of withEnd(source.pieces())) {
    write(tokens, piece, source)
    if (!hasHead && sheet.hasRows) {
      text += inUtf8(sheet.head)
      hasHead = true
    }
    for (const raw of sheet.rows.splice(0)) {
      for (; !patch.done && patch.value.row <= raw.index; patch = await patches.next())
        text += merger.newRow(patch.value)
      const isMeant = !patch.done && patch.value.row === raw.index + 1
      text += raw.before + merger.row(raw, isMeant ? patch.value : undefined)
      if (isMeant) patch = await patches.next()
      if (text.length < PIECE_CHARACTERS) continue
      yield Buffer.from(text)
      text = ''
    }
  }
  for (; !patch.done; patch = await patches.next()) {
    text += merger.newRow(patch.value)
    if (text.length < PIECE_CHARACTERS) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text + sheet.tail)
}

function write(tokens: XmlTokens, piece: Uint8Array | null, source: PartSource): void {
  try {
    if (piece) tokens.write(piece)
    else tokens.end()
  } catch (error) {
    throw xmlRefusal(error, source)
  }
}

/** The pieces, and null at their end. */
async function* withEnd(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  yield* pieces
  yield null
}

/** Throws for rows or cells that are not in order: their sheet could not be opened. */
async function* rowByRow(batches: TabChange['rows']): AsyncGenerator<PatchRow, undefined> {
  let last = 0
  for await (const batch of batches)
    for (const patch of batch) {
      const columns = patch.cells.map(({ column }) => column)
      const isOrdered = columns.every((column, n) => column > (columns[n - 1] ?? -1) && column < MAX_COLUMNS)
      if (patch.row <= last || patch.row > MAX_ROWS || !isOrdered)
        throw new RangeError(`Row ${patch.row} of a change or a cell of it is out of order`)
      last = patch.row
      yield patch
    }
}

const DECLARATION = /^<\?xml\b[^?]*\?>/

/** Sheets are written in UTF-8, whatever they were. */
const inUtf8 = (head: string): string =>
  /encoding=["']utf-16/i.test(DECLARATION.exec(head)?.[0] ?? '')
    ? head.replace(DECLARATION, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>')
    : head
