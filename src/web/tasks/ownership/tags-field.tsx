import { TagsInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { limits } from '../../../contract/limits.ts'
import { taskDialogMessages as messages } from '../../../contract/tasks/dialog-messages.ts'
import type { Task } from '../task-model.ts'
import { tagsOf } from './ownership-filters.ts'

type Props = {
  /** Tasks of the category, whose tags are suggested. */
  tasks: readonly Pick<Task, 'tags'>[]
  className?: string | undefined
  value: string[]
  error?: ReactNode
  onChange: (tags: string[]) => void
  'data-path'?: string
}

/** Tags of a task; suggests those of the other tasks of the category. */
export function TagsField({ tasks, value, ...rest }: Props) {
  return (
    <TagsInput
      label="Tags"
      description={messages.tags_hint}
      placeholder={value.length > 0 ? undefined : messages.add_tag}
      data={tagsOf(tasks)}
      splitChars={[',']}
      maxTags={limits.tags_max}
      maxLength={limits.tag_characters}
      acceptValueOnBlur
      openOnFocus
      value={value}
      {...rest}
    />
  )
}
