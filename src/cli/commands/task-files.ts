import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { uploads } from '../../contract/uploads/calls.ts'
import { type Command, EXIT, UsageError } from '../command.ts'
import { findTask } from '../tasks.ts'
import { localTime, table, visible } from '../text.ts'

/** Shows the files that were uploaded to a source task, newest first. */
export const taskFiles: Command = {
  summary: 'Files that were uploaded to a source task',
  args: ['TASK'],
  run: async ({ args: [text = ''], client, print, printJson, zone }) => {
    const { id, category, name } = await findTask(client, text)
    if (category !== 'source') throw new UsageError(messages.upload_of_source(name))
    const files = await client.call(uploads.files, { params: { id } })
    printJson(files)
    const rows = files.map((file) => [
      String(file.id),
      visible(file.name),
      String(file.size),
      localTime(file.uploaded_at, zone),
      file.uploaded_by ?? '',
      file.is_current ? messages.current_file : '',
    ])
    if (rows.length === 0) print(messages.no_files(name))
    else for (const line of table(['ID', 'FILE', 'BYTES', 'UPLOADED', 'BY', ''], rows)) print(line)
    return EXIT.ok
  },
}
