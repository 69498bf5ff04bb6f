import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { type Command, EXIT, UsageError } from '../command.ts'
import { files, isKind, KINDS } from './files.ts'

/** Writes all tasks or types of a category as CSV, to a new file or to standard output. */
export const exportFile: Command = {
  summary: 'Export tasks, types or compiler configurations as CSV',
  args: ['WHAT', '[FILE]'],
  choices: KINDS,
  run: async ({ client, args: [what, file], is_json, out, print, printJson }) => {
    if (!isKind(what)) throw new UsageError(messages.no_choice(what ?? '', KINDS))
    const content = await client.download(files[what].exportCsv)
    if (file === undefined || file === '-') {
      const decoder = new TextDecoder()
      let csv = ''
      for await (const part of content) {
        const text = decoder.decode(part, { stream: true })
        if (is_json) csv += text
        else out(text)
      }
      printJson({ file: null, csv })
      return EXIT.ok
    }
    const target = createWriteStream(file, { flags: 'wx' })
    await pipeline(content, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw new UsageError(messages.file_exists(file))
      await rm(file, { force: true })
      throw error
    })
    print(messages.written(file))
    printJson({ file })
    return EXIT.ok
  },
}
