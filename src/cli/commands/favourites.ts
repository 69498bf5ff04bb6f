import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { favourites as calls } from '../../contract/favourites/calls.ts'
import { type Command, type Context, EXIT, UsageError } from '../command.ts'
import { findTask, listTasks } from '../tasks.ts'
import { printTasks } from './tasks.ts'

/** Favourite tasks of the owner of the token: lists, adds and removes them. */
export const favourites: Command = {
  summary: 'List your favourite tasks; add or remove one',
  args: ['[ACTION]', '[TASK]'],
  choices: ['list', 'add', 'remove'],
  run: (context) => {
    const [action = 'list', task, ...others] = context.args
    const [extra] = action === 'list' ? [task] : others
    if (extra !== undefined) throw new UsageError(messages.too_many(extra))
    if (action === 'list') return list(context)
    if (task === undefined) throw new UsageError(messages.wanted('TASK'))
    return set(context, task, action === 'add')
  },
}

async function list(context: Context): Promise<number> {
  const [{ task_ids }, tasks] = await Promise.all([
    context.client.call(calls.list, {}),
    listTasks(context.client),
  ])
  const wanted = new Set(task_ids)
  return printTasks(
    context,
    tasks.filter(({ id }) => wanted.has(id)),
    messages.no_favourites,
  )
}

async function set({ client, print, printJson }: Context, text: string, is_favourite: boolean) {
  const { id, name } = await findTask(client, text)
  printJson(await client.call(calls.set, { params: { id }, body: { is_favourite } }))
  print(is_favourite ? messages.favourite_added(name) : messages.favourite_removed(name))
  return EXIT.ok
}
