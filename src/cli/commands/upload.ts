import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { uploads } from '../../contract/uploads/calls.ts'
import { type Command, EXIT, UsageError } from '../command.ts'
import { waitFlags } from '../follow-run.ts'
import { findTask } from '../tasks.ts'
import { run } from './run.ts'

/** Uploads the file that a source task reads from its next run on, and runs the task on request. */
export const upload: Command = {
  summary: 'Upload the file that a source task reads',
  args: ['TASK', 'FILE'],
  flags: { run: { type: 'boolean', summary: 'Run the task with this file' }, ...waitFlags },
  run: async (context) => {
    const { args, client, flags, note, print, printJson } = context
    const [text = '', path = ''] = args
    if (flags.run !== true && flags.wait === true) throw new UsageError(messages.wait_needs_run)
    const { id, category, name } = await findTask(client, text)
    if (category !== 'source') throw new UsageError(messages.upload_of_source(name))
    const content = await openAsBlob(path).catch(() => {
      throw new UsageError(messages.no_file(path))
    })
    const file = { name: basename(path), content }
    const reply = await client.call(uploads.add, { params: { id }, file })
    for (const warning of reply.warnings) note(warning)
    print(messages.uploaded(reply.file.name, name))
    if (flags.run === true) return run.run({ ...context, args: [String(id)] })
    printJson(reply)
    return EXIT.ok
  },
}
