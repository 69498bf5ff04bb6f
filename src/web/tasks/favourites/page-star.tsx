import { useShortcut } from '../../ui/use-shortcut.ts'
import { useToggleFavourite } from './favourites.ts'
import { StarButton } from './star-button.tsx'

/** The star among the actions of a task's page, with its shortcut. */
export function PageStar({ task_id, name }: { task_id: number; name: string }) {
  const toggle = useToggleFavourite()
  useShortcut('favourite', () => toggle(task_id))
  return (
    <span>
      <StarButton task_id={task_id} name={name} size={36} />
    </span>
  )
}
