import type { Found, FoundTask, FoundType } from '../../../../contract/search/calls.ts'
import { searchMessages as messages } from '../../../../contract/search/dialog-messages.ts'
import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import { screens } from './screens.ts'

/** What an item looks like. */
export type ItemKind = TaskCategory | 'type' | 'screen' | 'action' | 'run'

/** A task that can be run; `id` of a compiler configuration is that of its page. */
export type Runnable = { category: TaskCategory; id: number; name: string }

/** A destination in the list. `to`: path, possibly with a query. */
export type LinkItem = { key: string; kind: ItemKind; label: string; detail: string; to: string }

/** An item of the list: a destination, a run, or an action. */
export type Item = LinkItem | (Omit<LinkItem, 'to'> & ({ run: Runnable } | { act: () => void }))

/** An action that the palette offers; `words`: other words that a search finds it by. */
export type Action = { label: string; words: string; act: () => void }

export type Group = { label: string; items: readonly Item[] }

const MAX_RUNS = 3
const lists = {
  sync: { path: '/sync_tasks', one: 'Sync task', many: 'sync tasks' },
  source: { path: '/source_tasks', one: 'Source task', many: 'source tasks' },
  compiler: { path: '/compiler', one: 'Compiler', many: 'compiler configurations' },
} as const

const idOf = ({ id, config_id }: FoundTask) => config_id ?? id

const taskItem = (task: FoundTask): LinkItem => ({
  key: `${task.category} ${idOf(task)}`,
  kind: task.category,
  label: titleText(taskTitle(task)),
  detail: [lists[task.category].one, task.type, task.place].filter(Boolean).join(' · '),
  to: `${lists[task.category].path}/${idOf(task)}`,
})

const typeItem = ({ id, category, name, tasks }: FoundType): LinkItem => ({
  key: `type ${id}`,
  kind: 'type',
  label: name,
  detail: messages.type_of(lists[category].one.replace(' task', ''), tasks),
  to:
    category === 'compiler'
      ? `/unified-task-types?q=${encodeURIComponent(name)}&category=compiler`
      : `${lists[category].path}?type=${id}`,
})

const runItem = (task: FoundTask): Item => ({
  key: `run ${task.category} ${idOf(task)}`,
  kind: 'run',
  label: messages.run_task(titleText(taskTitle(task))),
  detail: taskItem(task).detail,
  run: { category: task.category, id: idOf(task), name: titleText(taskTitle(task)) },
})

/** Links to the lists that show all matching tasks, where the search has more than it returned. */
function allItems(text: string, { tasks, task_counts }: Found): LinkItem[] {
  return (['sync', 'source'] as const).flatMap((category) => {
    const count = task_counts[category]
    if (count <= tasks.filter((task) => task.category === category).length) return []
    const label = messages.all_of(count, lists[category].many)
    const to = `${lists[category].path}?q=${encodeURIComponent(text)}`
    return [{ key: `all ${category}`, kind: category, label, detail: '', to }]
  })
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s/-]+/)
    .filter(Boolean)

/** Whether each word begins a word of the text. */
const hasWords = (text: string, words: readonly string[]) =>
  words.every((word) => wordsOf(text).some((one) => one.startsWith(word)))

/** The searched text without a leading "run"; `is_run`: the user wants to run what is found. */
export function readText(text: string): { text: string; is_run: boolean } {
  const run = /^\s*run(?:\s+(.*))?$/i.exec(text)
  return run ? { text: (run[1] ?? '').trim(), is_run: true } : { text: text.trim(), is_run: false }
}

type Known = {
  text: string
  /** Reply to the search for the text; undefined while it is not known. */
  found: Found | undefined
  signed_in: boolean
  actions: readonly Action[]
  recent: readonly LinkItem[]
}

/** The groups to show for a text: what the page knows itself comes first, so that a late reply moves nothing above it. */
export function groupsFor({ text: typed, found, signed_in, actions, recent }: Known): Group[] {
  const { text, is_run } = readText(typed)
  const words = wordsOf(typed)
  const shownScreens = screens
    .filter(({ is_public }) => signed_in || is_public)
    .filter(({ label, words: more }) => hasWords(`${label} ${more}`, words))
    .toSorted((one, other) => Number(hasWords(other.label, words)) - Number(hasWords(one.label, words)))
    .map(
      ({ label, path }): LinkItem => ({ key: `screen ${path}`, kind: 'screen', label, detail: '', to: path }),
    )
  const shownActions = actions
    .filter((action) => hasWords(`${action.label} ${action.words}`, words))
    .map(({ label, act }): Item => ({ key: `action ${label}`, kind: 'action', label, detail: '', act }))
  const tasks: Item[] = found ? [...found.tasks.map(taskItem), ...allItems(text, found)] : []
  const runs = found?.tasks.slice(0, is_run ? found.tasks.length : MAX_RUNS).map(runItem) ?? []
  const groups: Group[] = [
    { label: messages.recent, items: words.length === 0 ? recent : [] },
    { label: messages.screens, items: shownScreens },
    { label: messages.actions, items: shownActions },
    ...(is_run
      ? [{ label: messages.run, items: runs }]
      : [
          { label: messages.tasks, items: tasks },
          { label: messages.types, items: found?.types.map(typeItem) ?? [] },
          { label: messages.run, items: runs },
        ]),
  ]
  return groups.filter(({ items }) => items.length > 0)
}
