import { consolidateServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'
import type { ReadPart, SourceRead, TabIdentity } from '../../../connectors/connector.ts'
import type { OpenSource } from '../../../connectors/registry.ts'
import { consolidatedFormats } from './consolidated-formats.ts'
import { named, readConsolidated } from './consolidated-read.ts'

/** The source of a task: one, or several as one table. */
export type CopySource = OpenSource & {
  /** What the task stores about the tabs of its further sources; null for one that is not a tab. */
  further: readonly (TabIdentity | null)[]
  /** The part of the last reading that has a data row; undefined: there is one source, or it is the header row. */
  partAt: (row: number) => ReadPart | undefined
}

/** Opens sources in turn as one. Throws OriginFailure, which names the source. `keepsAll`: as of `readConsolidated`. */
export async function openConsolidated(
  opening: readonly (() => Promise<OpenSource>)[],
  { keepsAll }: { keepsAll: boolean },
): Promise<CopySource> {
  const opened: OpenSource[] = []
  for (const [place, open] of opening.entries())
    opened.push(await (opening.length === 1 ? open() : named(place, open)))
  const [first, ...further] = opened
  if (!first) throw new TypeError('There is no source')
  if (further.length === 0) return { ...first, further: [], partAt: () => undefined }
  return consolidated(opened, first, keepsAll)
}

function consolidated(sources: readonly OpenSource[], first: OpenSource, keepsAll: boolean): CopySource {
  const further = sources.slice(1)
  let parts: readonly ReadPart[] = []
  return {
    title: messages.title(first.title, further.length),
    further: further.map(({ identity }) => identity),
    partAt: (row) => partOf(parts, row),
    warnings: sources.flatMap(({ warnings }) => warnings),
    identity: first.identity,
    version: '',
    read(): SourceRead {
      const reading = readConsolidated(sources, { keepsAll })
      parts = reading.parts ?? []
      return reading
    },
    formats: async ({ parts = [], isExcluded = () => false }) =>
      consolidatedFormats(sources, parts, isExcluded),
    address(row, column) {
      const part = partOf(parts, row)
      const source = part && sources[part.source]
      const own = part?.columns[column]
      if (!part || !source || own === null || own === undefined) return 'the header row'
      const address = source.address?.(row - part.first_row + 1, own)
      return messages.address(
        source.title,
        address ?? `row ${(row - part.first_row + 1).toLocaleString('en')}`,
      )
    },
  }
}

const partOf = (parts: readonly ReadPart[], row: number): ReadPart | undefined =>
  parts.findLast(({ first_row }) => first_row <= row)
