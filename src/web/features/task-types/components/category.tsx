import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'

type Category = TaskType['task_category']

/** Labels and colours of categories, in the order of the data flow. */
export const categories: Record<Category, { label: string; tone: Tone }> = {
  source: { label: 'Source', tone: 'success' },
  compiler: { label: 'Compiler', tone: 'purple' },
  sync: { label: 'Sync', tone: 'info' },
}

export const CategoryBadge = ({ category }: { category: Category }) => <Badge {...categories[category]} />

type Choice = { id: number; name: string; task_category: Category; disabled?: boolean }

/** Select options, grouped by category. */
export const choicesOf = (types: readonly Choice[]) =>
  (['source', 'compiler', 'sync'] as const).map((category) => ({
    group: categories[category].label,
    items: types
      .filter(({ task_category }) => task_category === category)
      .map(({ id, name, disabled }) => ({ value: String(id), label: name, disabled: disabled ?? false })),
  }))
