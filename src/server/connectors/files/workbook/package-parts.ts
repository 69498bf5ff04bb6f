import { posix } from 'node:path'
import { fileMessages } from '../../../../contract/files/server-messages.ts'
import { broken, refusal } from './refusal.ts'
import { attributes } from './xml-text.ts'
import { XmlFault, type XmlHandler, XmlTokens } from './xml-tokens.ts'
import type { PartSource, ZipArchive } from './zip-archive.ts'

/** A relationship of a part. `target`: name of the related part. `type`: the last word of its type, such as worksheet. */
export type Relationship = { id: string; type: string; target: string }

/** Where the relationships of a part are. */
export const relationshipsPart = (part: string): string =>
  posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`)

/** The relationships of a part to other parts; none if it has no list. '' is the workbook file itself. Throws OriginFailure. */
export async function readRelationships(zip: ZipArchive, part: string): Promise<Relationship[]> {
  const list = part === '' ? '_rels/.rels' : relationshipsPart(part)
  if (!zip.entry(list)) return []
  const found: Relationship[] = []
  await readPart(zip.source(list), {
    open(name, tag) {
      if (name !== 'Relationship') return
      const given = attributes(tag)
      if (given.get('TargetMode') === 'External') return
      found.push({
        id: given.get('Id') ?? '',
        type: (given.get('Type') ?? '').replace(/^.*\//, ''),
        target: posix.join(posix.dirname(part), absolute(given.get('Target') ?? '', part)),
      })
    },
  })
  return found
}

/** A target that begins with a slash counts from the root. */
const absolute = (target: string, part: string) => {
  const path = decodedPath(target).replaceAll('\\', '/')
  return path.startsWith('/') ? posix.relative(`/${posix.dirname(part)}`, path) : path
}

const decodedPath = (target: string) => {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}

/** Passes the tokens of a part to a handler. Throws OriginFailure for a part that is missing, damaged or not XML. */
export async function readPart(source: PartSource, handler: XmlHandler): Promise<void> {
  const tokens = new XmlTokens(handler)
  try {
    for await (const piece of source.pieces()) tokens.write(piece)
    tokens.end()
  } catch (error) {
    throw xmlRefusal(error, source)
  }
}

/** The refusal of a part that is not XML; other errors are returned. */
export function xmlRefusal(error: unknown, { file, part }: Pick<PartSource, 'file' | 'part'>): unknown {
  if (!(error instanceof XmlFault)) return error
  return error.isDoctype
    ? refusal(fileMessages.doctype(file, part))
    : broken(file, fileMessages.part_invalid(part), error)
}
