import { IconNote } from '@tabler/icons-react'
import { ownershipMessages } from '../../../contract/ownership/client-messages.ts'
import { initialsOf } from '../../lib/initials.ts'
import type { Task } from '../task-model.ts'
import classes from './row-ownership.module.css'

const SHOWN_TAGS = 2

/** Tags, owner and a mark for notes, beside the name of a task; nothing if it has none. */
export function RowOwnership({
  task: { owner, tags, has_notes },
}: {
  task: Pick<Task, 'owner' | 'tags' | 'has_notes'>
}) {
  const more = tags.length - SHOWN_TAGS
  if (owner === null && tags.length === 0 && !has_notes) return null
  return (
    <div className={classes.ownership}>
      {tags.length > 0 && (
        <span className={classes.tags} title={ownershipMessages.tags(tags)}>
          {tags.slice(0, SHOWN_TAGS).map((tag) => (
            <span key={tag} className={classes.tag}>
              {tag}
            </span>
          ))}
          {more > 0 && <span className={classes.more}>+{more}</span>}
        </span>
      )}
      {owner && (
        <span
          className={classes.owner}
          role="img"
          aria-label={ownershipMessages.owner(owner.name)}
          title={ownershipMessages.owner(owner.name)}
        >
          {initialsOf(owner.name)}
        </span>
      )}
      {has_notes && (
        <span className={classes.notes} title={ownershipMessages.has_notes}>
          <IconNote size={15} role="img" aria-label={ownershipMessages.has_notes} />
        </span>
      )}
    </div>
  )
}
