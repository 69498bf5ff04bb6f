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
  onChange: (lines: Line[]) => void
  /** Renders the fields of a line. */
  children: (line: Line, change: (line: Line) => void, number: number) => ReactNode
}

/** A list of lines to add and remove. */
export const LineList = <Line,>({ name, lines, blank, onChange, children }: Props<Line>) => (
  <>
    {lines.map((line, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id, and their state is in the form
      <fieldset key={at} className={classes.line} aria-label={`${name} ${at + 1}`}>
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
