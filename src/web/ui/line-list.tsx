import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './line-list.module.css'

type Props<Line> = {
  /** Singular name of a line. */
  name: string
  lines: readonly Line[]
  /** Initial value of a new line. */
  blank: Line
  /** Frames and numbers each line: for lines of several rows. */
  framed?: boolean
  onChange: (lines: Line[]) => void
  /** A field of the line with this number, counted from 1, has the focus. */
  onFocus?: (number: number) => void
  /** Renders the fields of a line. */
  children: (line: Line, change: (line: Line) => void, number: number) => ReactNode
}

/** A list of lines to add and remove. */
export const LineList = <Line,>({ name, lines, blank, framed, onChange, onFocus, children }: Props<Line>) => (
  <>
    {lines.map((line, at) => (
      <fieldset
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and their state is in the form
        key={at}
        className={framed ? classes.framed : classes.line}
        aria-label={`${name} ${at + 1}`}
        onFocus={() => onFocus?.(at + 1)}
      >
        {framed && (
          <span className={classes.number} aria-hidden>
            {at + 1}
          </span>
        )}
        <div className={classes.fields}>
          {children(line, (changed) => onChange(lines.with(at, changed)), at + 1)}
        </div>
        <ActionIcon
          aria-label={`Remove ${name.toLowerCase()} ${at + 1}`}
          title="Remove"
          onClick={() => onChange(lines.toSpliced(at, 1))}
        >
          <IconX size={17} />
        </ActionIcon>
      </fieldset>
    ))}
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlus size={15} aria-hidden />}
      w="fit-content"
      onClick={() => onChange([...lines, blank])}
    >
      Add {name.toLowerCase()}
    </Button>
  </>
)
