import { type CellArea, parseArea } from './cell-area.ts'
import { readPart, xmlRefusal } from './package-parts.ts'
import { attribute } from './xml-text.ts'
import { XmlTokens } from './xml-tokens.ts'
import type { ZipArchive } from './zip-archive.ts'

/** The extent that a sheet states before its cells; null if it states none. Throws OriginFailure. */
export async function readStatedArea(zip: ZipArchive, part: string): Promise<CellArea | null> {
  let area: CellArea | null = null
  let isOver = false
  const tokens = new XmlTokens({
    open(name, tag) {
      if (name === 'dimension') area = parseArea(attribute(tag, 'ref') ?? '')
      isOver ||= name === 'dimension' || name === 'sheetData'
    },
  })
  try {
    for await (const piece of zip.pieces(part)) {
      tokens.write(piece)
      if (isOver) break
    }
  } catch (error) {
    throw xmlRefusal(error, zip.source(part))
  }
  return area
}

const MERGED = Buffer.from('mergeCell')

/**
 * The merged areas of a sheet, which come after its cells. Only unpacks it where there are none: searching bytes takes a tenth of the
 * time of reading them. Throws OriginFailure.
 */
export async function readMergedAreas(zip: ZipArchive, part: string): Promise<CellArea[]> {
  if (!(await mayHaveMerged(zip, part))) return []
  const areas: CellArea[] = []
  await readPart(zip.source(part), {
    open(name, tag) {
      const area = name === 'mergeCell' ? parseArea(attribute(tag, 'ref') ?? '') : null
      if (area) areas.push(area)
    },
  })
  return areas
}

async function mayHaveMerged(zip: ZipArchive, part: string): Promise<boolean> {
  let end = Buffer.alloc(0)
  for await (const piece of zip.pieces(part)) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    const seam = Buffer.concat([end, bytes.subarray(0, MERGED.length)])
    // The letters of UTF-16 have a zero between them.
    if (bytes.includes(MERGED) || seam.includes(MERGED) || seam.includes(0)) return true
    end = Buffer.from(bytes.subarray(-MERGED.length))
  }
  return false
}
