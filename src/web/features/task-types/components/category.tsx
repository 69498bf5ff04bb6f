import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'

type Category = TaskType['task_category']

/** The categories as a person reads them, in the order in which data flows through them. */
export const categories: Record<Category, { label: string; tone: Tone }> = {
  source: { label: 'Source', tone: 'success' },
  compiler: { label: 'Compiler', tone: 'purple' },
  sync: { label: 'Sync', tone: 'info' },
}

/** The category of a type: sync blue, source green, compiler purple. */
export const CategoryBadge = ({ category }: { category: Category }) => <Badge {...categories[category]} />

type Choice = { id: number; name: string; task_category: Category; disabled?: boolean }

/** Types to choose from, those of one category together. */
export const choicesOf = (types: readonly Choice[]) =>
  (['source', 'compiler', 'sync'] as const).map((category) => ({
    group: categories[category].label,
    items: types
      .filter(({ task_category }) => task_category === category)
      .map(({ id, name, disabled }) => ({ value: String(id), label: name, disabled: disabled ?? false })),
  }))
