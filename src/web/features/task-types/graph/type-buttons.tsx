import { memo } from 'react'
import { NODE } from './layout.ts'
import type { Card } from './scene.ts'
import classes from './type-buttons.module.css'

type Props = {
  cards: readonly Card[]
  selected: number | null
  /** The one that the Tab key leads to; the others are walked to by arrow keys. */
  entry: number | null
}

/** What is pressed, focused and read aloud where the picture shows a card. */
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
