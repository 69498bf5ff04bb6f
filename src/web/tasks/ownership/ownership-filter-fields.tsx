import { useMemo } from 'react'
import { ownershipMessages as messages } from '../../../contract/ownership/client-messages.ts'
import { tagKey } from '../../../contract/tasks/ownership.ts'
import { Choice } from '../../ui/choice.tsx'
import { FilterToggle } from '../../ui/filter-bar.tsx'
import type { Filters } from '../list/filters.ts'
import type { Task } from '../task-model.ts'
import { ownersOf, tagsOf } from './ownership-filters.ts'

type Props = {
  /** All tasks, including those hidden by filters. */
  tasks: readonly Pick<Task, 'owner' | 'tags'>[]
  filters: Pick<Filters, 'owner' | 'tags'>
  onChange: (change: Partial<Pick<Filters, 'owner' | 'tags'>>) => void
}

/** Filters by owner and tags; each is shown once a task has an owner or a tag. */
export function OwnershipFilterFields({ tasks, filters: { owner, tags }, onChange }: Props) {
  const owners = useMemo(() => ownersOf(tasks), [tasks])
  const known = useMemo(() => tagsOf(tasks), [tasks])
  const chosen = new Set(tags.map(tagKey))
  return (
    <>
      {(owners.length > 0 || owner !== null) && (
        <Choice
          label={messages.owner_label}
          all={messages.any_owner}
          options={[
            { value: 'me', label: messages.own },
            { value: 'nobody', label: messages.nobody },
            ...owners.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={owner}
          onChange={(value) => onChange({ owner: value })}
        />
      )}
      {(known.length > 0 || tags.length > 0) && (
        <Choice
          label={messages.tag_label}
          all={tags.length > 0 ? messages.another_tag : messages.any_tag}
          options={known.filter((tag) => !chosen.has(tagKey(tag))).map((tag) => ({ value: tag, label: tag }))}
          value={null}
          onChange={(tag) => tag !== null && onChange({ tags: [...tags, tag] })}
        />
      )}
      {tags.map((tag) => (
        <FilterToggle
          key={tag}
          label={messages.with_tag(tag)}
          pressed
          onPress={() => onChange({ tags: tags.filter((one) => one !== tag) })}
        />
      ))}
    </>
  )
}
