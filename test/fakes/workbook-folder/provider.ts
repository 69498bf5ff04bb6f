import { setTimeout as pause } from 'node:timers/promises'
import type { WritableTarget } from '../../../src/server/connectors/connector.ts'
import { FILES, type FilesFolder, findFile } from '../../../src/server/connectors/files/folders.ts'
import { openSource } from '../../../src/server/connectors/files/source.ts'
import {
  cleanUp,
  openTarget,
  readCell,
  type WriteLimits,
} from '../../../src/server/connectors/files/target/open-target.ts'
import { sweep } from '../../../src/server/connectors/files/target/sweep.ts'
import type { TableProvider } from '../../../src/server/connectors/table-provider.ts'
import { places } from '../json-directory/places.ts'
import { directJobs } from './direct-jobs.ts'

/** Limits and hooks of a test. */
export type FolderSettings = {
  folders: readonly FilesFolder[]
  limits: WriteLimits
  /** Called before a spreadsheet is read. */
  asked: (id: string) => Promise<void>
  /** Called when a run has replaced a file. */
  wrote: (run_id: number) => void
  /** Delay of a write after each thousand rows. */
  step_ms: number
}

/** Folders with workbooks as a provider of tables. Lists of spreadsheets are not part of it. */
export function workbookFolder({ folders, limits, asked, wrote, step_ms }: FolderSettings): TableProvider {
  const counted = <T extends WritableTarget>(target: T, run_id: number): T => ({
    ...target,
    async apply(...args: Parameters<WritableTarget['apply']>) {
      const result = await target.apply(...args)
      wrote(run_id)
      return result
    },
  })
  return {
    async openSource(reference, context) {
      const source = await openSource((id) => findFile(folders, id), reference, context)
      const before = async () => asked(reference.spreadsheet_id)
      return {
        ...source,
        read(options) {
          const reading = source.read(options)
          const { batches } = reading
          const delayed = (async function* () {
            await before()
            yield* batches
          })()
          return Object.create(reading, { batches: { value: delayed } })
        },
      }
    },
    async openTarget(reference, context) {
      const slow = {
        ...context,
        progress: async (state: Parameters<typeof context.progress>[0]) => {
          await context.progress(state)
          if (step_ms > 0) await pause(step_ms)
        },
      }
      const target = await openTarget(folders, reference, slow, { limits, createJobs: directJobs })
      return {
        ...target,
        begin: async () => counted(await target.begin(), context.run_id),
        resume: async () => counted(await target.resume(), context.run_id),
      }
    },
    places: {
      ...places(''),
      readCell: ({ row, column, ...cell }, signal) => readCell(folders, cell, { row, column }, signal),
    },
    cleanUp: (reference, { run_id }) => cleanUp(folders, reference, run_id),
    sweep: () => sweep(folders),
  }
}

/** The only folder of a test. */
export const testFolder = (path: string): FilesFolder => ({ name: 'Out', path, writable: true })

export { FILES }
