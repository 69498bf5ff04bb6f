import { IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { graphMessages } from '../../../../contract/type-graph/client-messages.ts'

import { formatCount } from '../../../lib/format.ts'
import { type Branch, forestOf, visible } from './forest.ts'
import { categoryLabels, summaryOf } from './type-labels.ts'
import classes from './type-tree.module.css'
import type { FoldedGraph } from './whole-graph.ts'

/** `onSelect` of the card of a chain unfolds it. */
type Props = { graph: FoldedGraph; selected: number | null; onSelect: (id: number) => void }

// Deeper levels get no further indentation, so that a long chain stays on the screen; screen readers announce the level.
const MAX_INDENT = 6

/** The graph as a tree view: each type with its dependents as children. Keyboard navigation as in ARIA trees. */
export function TypeTree({ graph, selected, onSelect }: Props) {
  const forest = useMemo(() => forestOf(graph.nodes, graph.edges), [graph])
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const lines = useMemo(() => visible(forest, closed), [forest, closed])
  const [at, setAt] = useState<string | null>(null)
  const tree = useRef<HTMLDivElement>(null)
  // A type that the search finds, or that comes out of a chain, is scrolled to. The focused line of an unfolded chain is gone.
  useEffect(() => {
    if (selected === null) return
    const line = tree.current?.querySelector<HTMLElement>('[aria-selected=true]')
    line?.scrollIntoView({ block: 'nearest' })
    if (document.activeElement === document.body) line?.focus()
  }, [selected])
  const entry = lines.some(({ key }) => key === at) ? at : (lines[0]?.key ?? null)

  const toggle = ({ key, children }: Branch, open: boolean) => {
    if (children.length === 0) return
    const after = new Set(closed)
    if (open) after.delete(key)
    else after.add(key)
    setClosed(after)
  }
  const go = (line: Branch | undefined) => {
    if (!line) return
    setAt(line.key)
    tree.current?.querySelector<HTMLElement>(`[data-key="${line.key}"]`)?.focus()
  }
  const press = (event: KeyboardEvent, line: Branch) => {
    const index = lines.indexOf(line)
    const isOpen = line.children.length > 0 && !closed.has(line.key)
    const parent = () => lines.slice(0, index).findLast(({ level }) => level < line.level)
    const acts: Partial<Record<string, () => void>> = {
      ArrowDown: () => go(lines[index + 1]),
      ArrowUp: () => go(lines[index - 1]),
      ArrowRight: () => (isOpen ? go(lines[index + 1]) : toggle(line, true)),
      ArrowLeft: () => (isOpen ? toggle(line, false) : go(parent())),
      Home: () => go(lines[0]),
      End: () => go(lines.at(-1)),
      Enter: () => onSelect(line.node.id),
      ' ': () => onSelect(line.node.id),
    }
    const act = acts[event.key] ?? letter(event, lines, index, go)
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <div ref={tree} role="tree" aria-label={graphMessages.dependency_graph} className={classes.tree}>
      {lines.map((line) => (
        <TreeLine
          key={line.key}
          line={line}
          isOpen={!closed.has(line.key)}
          types={graph.sizes.get(line.node.id) ?? 0}
          isEntry={line.key === entry}
          isSelected={line.node.id === selected}
          onToggle={toggle}
          onPress={press}
          onFocus={setAt}
          onSelect={onSelect}
        />
      ))}
    </div>
  )
}

/** Type-ahead: moves to the next line that starts with the letter. */
function letter(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  lines: readonly Branch[],
  index: number,
  go: (line: Branch) => void,
) {
  if (key.length !== 1 || ctrlKey || metaKey || altKey) return undefined
  const after = [...lines.slice(index + 1), ...lines.slice(0, index + 1)]
  const next = after.find(({ node }) => node.name.toLowerCase().startsWith(key.toLowerCase()))
  return next && (() => go(next))
}

type LineProps = {
  line: Branch
  isOpen: boolean
  /** Number of types of a folded chain; 0 for a type. */
  types: number
  isEntry: boolean
  isSelected: boolean
  onToggle: (line: Branch, open: boolean) => void
  onPress: (event: KeyboardEvent, line: Branch) => void
  onFocus: (key: string) => void
  onSelect: (id: number) => void
}

function TreeLine({
  line,
  isOpen,
  types,
  isEntry,
  isSelected,
  onToggle,
  onPress,
  onFocus,
  onSelect,
}: LineProps) {
  const { key, node, level, condition, children, children_count, is_repeated } = line
  const { label, icon: Icon } = categoryLabels[node.task_category]
  const { tone, text } = summaryOf(node)
  return (
    <div
      role="treeitem"
      className={classes.line}
      data-key={key}
      data-category={node.task_category}
      style={{ paddingInlineStart: `${10 + Math.min(level - 1, MAX_INDENT) * 24}px` }}
      tabIndex={isEntry ? 0 : -1}
      aria-level={level}
      aria-selected={isSelected}
      {...(children.length > 0 && { 'aria-expanded': isOpen })}
      onKeyDown={(event) => onPress(event, line)}
      onFocus={() => onFocus(key)}
      onClick={() => onSelect(node.id)}
    >
      <span
        className={classes.twist}
        aria-hidden
        data-open={isOpen}
        onClick={(event) => {
          event.stopPropagation()
          onToggle(line, !isOpen)
        }}
      >
        {children.length > 0 && <IconChevronRight size={16} />}
      </span>
      <span className={classes.category}>
        <Icon size={14} aria-hidden /> {label}
      </span>
      <span className={classes.name}>{node.name}</span>
      {condition && (
        <span className={classes.condition}>
          {condition === 'success' ? graphMessages.condition_success : graphMessages.condition_completion}
        </span>
      )}
      {types > 0 && <span className={classes.condition}>{graphMessages.unfolds(types)}</span>}
      {!node.is_active && <span className={classes.condition}>{graphMessages.inactive_type}</span>}
      <span className={classes.state} data-tone={tone}>
        {text}
      </span>
      <span className={classes.count}>
        {is_repeated && children_count > 0
          ? graphMessages.listed_elsewhere
          : formatCount(children_count, 'child', 'children')}
      </span>
    </div>
  )
}
