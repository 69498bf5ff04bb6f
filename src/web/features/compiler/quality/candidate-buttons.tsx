import { Button } from '@mantine/core'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import classes from './quality.module.css'

type Props = {
  /** What is taken for one of the candidates. */
  name: string
  /** Which one it is taken for; null: none. */
  taken: string | null
  candidates: readonly { name: string; same: boolean }[]
  busy: boolean
  onTake: (candidate: string | null) => void
}

/** What may be meant by a name, each a press away; what was pressed can be undone. */
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
