import { ActionIcon } from '@mantine/core'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import { favouriteMessages as messages } from '../../../contract/favourites/client-messages.ts'
import { shortcuts } from '../../ui/shortcuts.ts'
import { useFavourite } from './favourites.ts'
import classes from './star-button.module.css'

type Props = { task_id: number; name: string; size?: number; className?: string | undefined }

/** Shows whether a task is a favourite of the user, and changes it. */
export function StarButton({ task_id, name, size = 28, className }: Props) {
  const { is_favourite, toggle } = useFavourite(task_id)
  const Icon = is_favourite ? IconStarFilled : IconStar
  return (
    <ActionIcon
      className={`${classes.star} ${className ?? ''}`}
      size={size}
      aria-label={messages.label(name)}
      aria-pressed={is_favourite}
      title={`${is_favourite ? messages.remove : messages.add} (${shortcuts.favourite.key})`}
      onClick={toggle}
    >
      <Icon size={size > 30 ? 19 : 16} />
    </ActionIcon>
  )
}
