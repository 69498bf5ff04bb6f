import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './line-list.module.css'

type Props<Line> = {
  /** What a line is called. */
  name: string
  lines: readonly Line[]
  /** A new line. */
  blank: Line
  onChange: (lines: Line[]) => void
  /** The fields of a line. */
  children: (line: Line, change: (line: Line) => void, number: number) => ReactNode
}

/** Lines of fields that are added and removed. */
export const LineList = <Line,>({ name, lines, blank, onChange, children }: Props<Line>) => (
  <>
    {lines.map((line, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines are known by their place, and all they hold is in the form
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
