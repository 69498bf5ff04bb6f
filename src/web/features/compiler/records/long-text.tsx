import { useState } from 'react'
import classes from './long-text.module.css'

/** A text, shortened to `cut` until it is expanded. */
export function LongText({ text, cut }: { text: string; cut: string }) {
  const [whole, setWhole] = useState(false)
  if (cut === text) return text
  return (
    <>
      {whole ? text : cut}{' '}
      <button type="button" className={classes.more} onClick={() => setWhole(!whole)}>
        {whole ? 'Show less' : 'Show all'}
      </button>
    </>
  )
}
