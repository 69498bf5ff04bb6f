import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { FilteredList, NewSavedView, savedViews } from '../../contract/saved-views/calls.ts'
import { savedViewMessages } from '../../contract/saved-views/client-messages.ts'
import { type Command, type Context, EXIT, textOf, UsageError } from '../command.ts'
import { table } from '../text.ts'

const pages: Record<FilteredList, string> = { sync: '/sync_tasks', source: '/source_tasks', runs: '/runs' }

/** Saved views, which are filters of a list under a name: lists them with their pages, saves and removes one. */
export const views: Command = {
  summary: 'List the saved views; save filters under a name; remove a view',
  args: ['[ACTION]', '[NAME]', '[FILTERS]'],
  choices: ['list', 'save', 'remove'],
  flags: {
    list: { type: 'string', summary: 'Views of this list', choices: FilteredList.options },
    shared: { type: 'boolean', summary: 'Share the saved view with all users' },
  },
  run: (context) => {
    const [action = 'list', name, filters, ...others] = context.args
    const [extra] = { list: [name], remove: [filters] }[action] ?? others
    if (extra !== undefined) throw new UsageError(messages.too_many(extra))
    if (action === 'list') return list(context)
    return action === 'remove' ? remove(context, name) : save(context, name, filters)
  },
}

const listOf = ({ flags }: Context) => FilteredList.safeParse(flags.list).data

async function list(context: Context): Promise<number> {
  const { client, print, printJson } = context
  const wanted = listOf(context)
  const found = await client.call(savedViews.list, { query: wanted ? { list: wanted } : {} })
  printJson(found)
  const rows = found.map(({ list: of, name, query, is_shared, owner }) => [
    of,
    name,
    is_shared ? savedViewMessages.by(owner.name) : '',
    `${pages[of]}?${query}`,
  ])
  if (rows.length === 0) print(savedViewMessages.none_yet)
  else for (const line of table(['LIST', 'NAME', 'SHARED', 'PAGE'], rows)) print(line)
  return EXIT.ok
}

async function save(context: Context, name: string | undefined, filters: string | undefined) {
  const { client, flags, print, printJson } = context
  if (name === undefined) throw new UsageError(messages.wanted('NAME'))
  if (filters === undefined) throw new UsageError(messages.wanted('FILTERS'))
  const wanted = listOf(context)
  if (wanted === undefined) throw new UsageError(messages.wanted('--list'))
  const query = new URLSearchParams(textOf(filters)).toString()
  const parsed = NewSavedView.safeParse({ list: wanted, name, query, is_shared: flags.shared === true })
  if (!parsed.success) throw new UsageError(parsed.error.issues[0]?.message ?? '')
  const saved = await client.call(savedViews.create, { body: parsed.data })
  printJson(saved)
  print(savedViewMessages.saved(saved.name))
  return EXIT.ok
}

// Two lists can each have a view of the same name, and another user can share one under it.
async function remove(context: Context, name: string | undefined) {
  const { client, print, printJson } = context
  if (name === undefined) throw new UsageError(messages.wanted('NAME'))
  const wanted = listOf(context)
  const found = await client.call(savedViews.list, { query: wanted ? { list: wanted } : {} })
  const [view, ...others] = found.filter((one) => one.name === name && one.can_edit)
  if (view === undefined) throw new UsageError(savedViewMessages.unknown(name))
  const lists = [...new Set([view, ...others].map(({ list: of }) => of))]
  if (lists.length > 1) throw new UsageError(savedViewMessages.several(name, lists))
  if (others.length > 0) throw new UsageError(savedViewMessages.several_owners(name))
  await client.call(savedViews.delete, { params: { id: view.id } })
  printJson(view)
  print(savedViewMessages.removed(view.name))
  return EXIT.ok
}
