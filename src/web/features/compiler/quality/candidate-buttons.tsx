import { Button } from '@mantine/core'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import classes from './quality.module.css'

type Props = {
  /** The SKU or column that is mapped. */
  name: string
  /** The candidate that it is mapped to; null if not mapped. */
  taken: string | null
  candidates: readonly { name: string; same: boolean }[]
  busy: boolean
  onTake: (candidate: string | null) => void
}

/** Buttons that map a name to one of its candidates, or undo that. */
export function CandidateButtons({ name, taken, candidates, busy, onTake }: Props) {
  if (taken !== null)
    return (
      <>
        {compilerMessages.taken_for(taken)}
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Undo: ${name}`}
          loading={busy}
          onClick={() => onTake(null)}
        >
          Undo
        </Button>
      </>
    )
  return (
    <>
      {candidates.map((candidate) => (
        <Button
          key={candidate.name}
          className={classes.candidate}
          size="compact-sm"
          variant={candidate.same ? 'filled' : 'default'}
          aria-label={`${name} is ${candidate.name}`}
          disabled={busy}
          onClick={() => onTake(candidate.name)}
        >
          {candidate.name}
        </Button>
      ))}
    </>
  )
}
