import { ActionIcon, Button, Kbd, VisuallyHidden } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { limits } from '../../../../contract/limits.ts'
import { searchMessages as messages } from '../../../../contract/search/dialog-messages.ts'
import { icons } from './icons.ts'
import type { Group, Item } from './items.ts'
import classes from './palette.module.css'

type Props = {
  typed: string
  onType: (text: string) => void
  groups: readonly Group[]
  /** State of the search on the server; `idle`: nothing is searched there. */
  state: 'idle' | 'searching' | 'found' | 'failed'
  /** What to try if nothing matches. */
  hint: string
  onChoose: (item: Item) => void
  onRetry: () => void
  onClose: () => void
}

const STEPS: Partial<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  PageDown: (at, count) => Math.min(at + 8, count - 1),
  PageUp: (at) => Math.max(at - 8, 0),
}

/** A combobox whose list is always open: the focus stays in the field, the arrow keys move the active option. */
export function PaletteList({ typed, onType, groups, state, hint, onChoose, onRetry, onClose }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const items = groups.flatMap((group) => group.items)
  // Items that arrive later do not move the active option. Null: the first one.
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const found = items.findIndex(({ key }) => key === activeKey)
  const active = Math.max(found, 0)
  const item = items[active]
  useLayoutEffect(() => {
    const option = list.current?.querySelector('[aria-selected=true]')
    // The label of the first group is above its first option.
    if (active === 0) list.current?.scrollTo(0, 0)
    else option?.scrollIntoView({ block: 'nearest' })
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const step = STEPS[event.key]
    if (step && items.length > 0) {
      event.preventDefault()
      setActiveKey(items[step(active, items.length)]?.key ?? null)
    } else if (event.key === 'Enter' && item) {
      event.preventDefault()
      onChoose(item)
    }
  }
  return (
    <div className={classes.palette}>
      <div className={classes.head}>
        <IconSearch size={20} aria-hidden />
        <input
          className={classes.field}
          role="combobox"
          aria-label={messages.placeholder}
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={item && `${id}-${active}`}
          placeholder={messages.placeholder}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={limits.search_characters}
          value={typed}
          data-autofocus
          onChange={(event) => {
            onType(event.currentTarget.value)
            setActiveKey(null)
          }}
          onKeyDown={onKeyDown}
        />
        <ActionIcon size={36} aria-label={messages.close} onClick={onClose}>
          <IconX size={18} />
        </ActionIcon>
      </div>
      {/* A Tab stop, so that the list can be scrolled by keyboard without choosing. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div className={classes.scroll} ref={list} tabIndex={0}>
        <div id={`${id}-list`} role="listbox" aria-label={messages.results}>
          {groups.map((group, place) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own
            <div key={group.label} role="group" aria-labelledby={`${id}-group-${place}`}>
              <div id={`${id}-group-${place}`} className={classes.label} role="presentation">
                {group.label}
              </div>
              {group.items.map((one) => (
                <Option
                  key={one.key}
                  id={`${id}-${items.indexOf(one)}`}
                  item={one}
                  isActive={one === item}
                  onHover={() => setActiveKey(one.key)}
                  onChoose={() => onChoose(one)}
                />
              ))}
            </div>
          ))}
        </div>
        {state === 'searching' && <p className={classes.note}>{messages.searching}</p>}
        {state === 'failed' && (
          <div className={classes.failed} role="alert">
            <p>{messages.failed}</p>
            <Button variant="default" size="xs" onClick={onRetry}>
              Try again
            </Button>
          </div>
        )}
        {items.length === 0 && (state === 'found' || state === 'idle') && (
          <div className={classes.nothing}>
            <p>{messages.nothing(typed.trim())}</p>
            <p>{hint}</p>
          </div>
        )}
      </div>
      <VisuallyHidden role="status">
        {typed.trim() !== '' && (state === 'searching' ? messages.searching : messages.found(items.length))}
      </VisuallyHidden>
      <div className={classes.foot} aria-hidden>
        <Kbd className="key-hint">↑</Kbd>
        <Kbd className="key-hint">↓</Kbd> {messages.hint_choose}
        <Kbd className="key-hint">Enter</Kbd> {messages.hint_open}
        <Kbd className="key-hint">Esc</Kbd> {messages.hint_close}
      </div>
    </div>
  )
}

type OptionProps = { id: string; item: Item; isActive: boolean; onHover: () => void; onChoose: () => void }

function Option({ id, item, isActive, onHover, onChoose }: OptionProps) {
  const Icon = icons[item.kind]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      id={id}
      role="option"
      className={classes.option}
      aria-selected={isActive}
      onPointerMove={isActive ? undefined : onHover}
      // Otherwise the field would lose the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon size={18} aria-hidden />
      <span className={classes.name}>{item.label}</span>
      {item.detail && <span className={classes.detail}>{item.detail}</span>}
    </div>
  )
}
