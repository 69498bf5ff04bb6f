import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { BulkReply } from '../../../contract/bulk/calls.ts'
import { selectionMessages } from '../../../contract/selection/client-messages.ts'
import { selectionDialogMessages as messages } from '../../../contract/selection/dialog-messages.ts'
import { disabledWithReason } from '../../ui/disabled-with-reason.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { Task } from '../task-model.ts'
import { RefusedDialog } from './refused-dialog.tsx'
import { type SelectionAction, useSelectionActions } from './selection-actions.tsx'
import classes from './selection-bar.module.css'

type Props = {
  selected: readonly Task[]
  /** Selected tasks that the filters hide. */
  hidden: number
  /** Tasks that the list shows. */
  matching: number
  filtered: boolean
  /** Whether all of these are selected. */
  complete: boolean
  onSelectAll: () => void
  onClear: () => void
}

/** Actions on the selected tasks, at the bottom of the window. Escape clears the selection. */
export function SelectionBar({
  selected,
  hidden,
  matching,
  filtered,
  complete,
  onSelectAll,
  onClear,
}: Props) {
  const [refused, setRefused] = useState<BulkReply['results']>([])
  const [showsRefused, setShowsRefused] = useState(false)
  const { actions, dialog } = useSelectionActions(selected, (reply) =>
    setRefused(reply.results.filter(({ status }) => status === 'refused' || status === 'unknown')),
  )
  useEscape(onClear)
  return (
    <section className={classes.bar} aria-label={messages.bar}>
      <p className={classes.count} role="status" title={messages.keys}>
        {messages.selected(selected.length)}
        {hidden > 0 && <span>, {messages.hidden(hidden)}</span>}
      </p>
      {!complete && (
        <Button variant="subtle" size="compact-sm" onClick={onSelectAll}>
          {filtered ? selectionMessages.select_matching(matching) : selectionMessages.select_all(matching)}
        </Button>
      )}
      {refused.length > 0 && (
        <Button variant="subtle" size="compact-sm" color="orange.9" onClick={() => setShowsRefused(true)}>
          {messages.show_refused(refused.length)}
        </Button>
      )}
      <ActionIcon
        className={classes.clear}
        aria-label={messages.clear}
        title={messages.clear}
        onClick={onClear}
      >
        <IconX size={18} />
      </ActionIcon>
      <div className={classes.actions}>
        {actions.map((action, index) => (
          <ActionButton key={action.label} action={action} isAlwaysShown={index < 2} />
        ))}
        <span className={classes.narrow}>
          <MenuButton
            label={messages.more}
            variant="default"
            size={30}
            items={actions.slice(2).map((action) => <ActionItem key={action.label} action={action} />)}
          >
            <IconDots size={18} />
          </MenuButton>
        </span>
      </div>
      {dialog}
      {showsRefused && <RefusedDialog results={refused} onClose={() => setShowsRefused(false)} />}
    </section>
  )
}

function ActionButton({ action, isAlwaysShown }: { action: SelectionAction; isAlwaysShown: boolean }) {
  const { label, icon: Icon, reason, is_pending, onClick, is_destructive } = action
  return (
    <Button
      variant="default"
      size="xs"
      className={isAlwaysShown ? undefined : classes.wide}
      leftSection={<Icon size={16} aria-hidden />}
      loading={is_pending}
      {...(is_destructive && { c: 'var(--error-text)' })}
      {...disabledWithReason(reason, onClick)}
    >
      {label}
    </Button>
  )
}

const ActionItem = ({ action }: { action: SelectionAction }) => (
  <Menu.Item
    leftSection={<action.icon size={16} />}
    disabled={action.reason !== null}
    onClick={action.onClick}
    {...(action.is_destructive && { color: 'var(--error-text)' })}
  >
    {action.label}
  </Menu.Item>
)

// Escape first closes an open dialog, menu or list, and clears the text of a field.
const OPENED = '[role="dialog"], [role="menu"], [role="listbox"]'

function useEscape(onEscape: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector(OPENED)) return
      const { target } = event
      if (target instanceof HTMLInputElement && target.type !== 'checkbox') return
      onEscape()
    }
    // In the capture phase, before the key closes what is open.
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [onEscape])
}
