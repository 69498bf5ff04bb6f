import { memo } from 'react'
import { NODE } from './layout.ts'
import type { Card } from './scene.ts'
import classes from './type-buttons.module.css'

type Props = {
  cards: readonly Card[]
  selected: number | null
  /** The card in the tab order; arrow keys move to the others. */
  entry: number | null
}

/** Invisible buttons over the drawn cards, for pointer, keyboard and screen readers. */
export const TypeButtons = memo(function TypeButtons({ cards, selected, entry }: Props) {
  return cards.map((card) => (
    <TypeButton key={card.id} card={card} selected={card.id === selected} entry={card.id === entry} />
  ))
})

const TypeButton = memo(function TypeButton({
  card,
  selected,
  entry,
}: {
  card: Card
  selected: boolean
  entry: boolean
}) {
  return (
    <button
      type="button"
      className={classes.card}
      style={{ left: card.x, top: card.y, ...NODE }}
      data-type={card.id}
      data-tone={card.tone}
      aria-pressed={selected}
      aria-label={card.spoken}
      title={card.name}
      tabIndex={entry ? 0 : -1}
    />
  )
})
