import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { type SectionId, sections } from './sections.ts'
import classes from './settings-index.module.css'

/** Links to the sections that the page has; the one in view is marked. The address names a section after `#`. */
export function SettingsIndex() {
  const { hash, key } = useLocation()
  const { present, inView } = useSections()
  const list = useRef<HTMLUListElement>(null)
  useSectionOfAddress(hash, key)
  // On phones the index is one line that scrolls.
  useEffect(() => {
    const link = list.current?.querySelector(`a[href$="#${inView}"]`)
    link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [inView])
  return (
    <nav className={classes.index} aria-label="Sections of the settings">
      <ul ref={list} data-roving>
        {sections
          .filter(({ id }) => present.includes(id))
          .map(({ id, label }) => (
            <li key={id}>
              <Link
                to={{ hash: id }}
                className={classes.link}
                aria-current={id === inView ? 'location' : undefined}
                data-first={id === inView || undefined}
              >
                {label}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}

// Height of the header of the page and, on phones, of the index.
const OFFSET_PX = 120

/** Sections on the page, and the one that is read: the last that begins above the upper part of the viewport. */
function useSections(): { present: readonly SectionId[]; inView: SectionId | null } {
  const [shown, setShown] = useState<{ present: SectionId[]; inView: SectionId | null }>({
    present: [],
    inView: null,
  })
  useEffect(() => {
    let frame = 0
    const read = () => {
      frame = 0
      const found = sections.flatMap(({ id }) => {
        const element = document.getElementById(id)
        return element ? [{ id, top: element.getBoundingClientRect().top }] : []
      })
      const begun = found.filter(({ top }) => top <= OFFSET_PX)
      // At the end of the page, the last sections cannot reach the top: the one of the address counts, otherwise the last.
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0
      const visible = found.filter(({ top }) => top > 0 && top < innerHeight)
      const last = visible.find(({ id }) => location.hash === `#${id}`) ?? visible.at(-1)
      const present = found.map(({ id }) => id)
      const inView = ((isAtEnd && last) || begun.at(-1) || found[0])?.id ?? null
      setShown((before) =>
        before.inView === inView && before.present.join() === present.join() ? before : { present, inView },
      )
    }
    const later = () => {
      if (frame === 0) frame = requestAnimationFrame(read)
    }
    // Sections are added and grow when their data arrives.
    const resized = new ResizeObserver(later)
    resized.observe(document.body)
    addEventListener('scroll', later, { passive: true })
    read()
    return () => {
      cancelAnimationFrame(frame)
      resized.disconnect()
      removeEventListener('scroll', later)
    }
  }, [])
  return shown
}

const INPUTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/** Scrolls to the section of the address and focuses its title; again while sections above it grow, until the user acts. */
function useSectionOfAddress(hash: string, key: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another navigation to the same section scrolls again
  useEffect(() => {
    const id = sections.find((one) => `#${one.id}` === hash)?.id
    if (id === undefined) return
    let isFocused = false
    const show = () => {
      const section = document.getElementById(id)
      if (!section) return
      section.scrollIntoView({ block: 'start' })
      if (!isFocused) document.getElementById(`${id}-title`)?.focus({ preventScroll: true })
      isFocused = true
    }
    const resized = new ResizeObserver(show)
    const stop = () => {
      resized.disconnect()
      for (const name of INPUTS) removeEventListener(name, stop)
    }
    resized.observe(document.body)
    for (const name of INPUTS) addEventListener(name, stop, { passive: true })
    return stop
  }, [hash, key])
}
