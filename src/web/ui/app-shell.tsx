import { ActionIcon, Burger, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDisclosure, useFocusWithin, useHotkeys } from '@mantine/hooks'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, useRef } from 'react'
import { Link, NavLink } from 'react-router'
import classes from './app-shell.module.css'
import { Logo } from './logo.tsx'
import { useFocusOnNavigate } from './use-focus-on-navigate.ts'

/** One entry of the top navigation. Home is active on its exact path only, all others by prefix. */
export type NavEntry = { label: string; path: string }

function Links({ entries, onFollow }: { entries: NavEntry[]; onFollow?: () => void }) {
  return entries.map(({ label, path }) => (
    <NavLink key={path} to={path} end={path === '/'} className={classes.link} onClick={onFollow}>
      {label}
    </NavLink>
  ))
}

function ThemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const next = scheme === 'light' ? 'dark' : 'light'
  return (
    <ActionIcon aria-label={`Switch to ${next} colours`} size={36} onClick={() => setColorScheme(next)}>
      {next === 'dark' ? <IconMoon size={18} /> : <IconSun size={18} />}
    </ActionIcon>
  )
}

type Props = { entries: NavEntry[]; tools: ReactNode; banner: ReactNode; children: ReactNode }

/** Header with navigation, a banner below it where there is one, and the page. */
export function AppShell({ entries, tools, banner, children }: Props) {
  const [opened, { toggle, close }] = useDisclosure(false)
  const burger = useRef<HTMLButtonElement>(null)
  const main = useRef<HTMLElement>(null)
  // the open menu lies over what the focus goes on to
  const { ref: header } = useFocusWithin({ onBlur: close })
  // no step in the history, which is for pages
  const skip = (event: MouseEvent) => {
    event.preventDefault()
    main.current?.focus()
  }
  const leave = () => {
    burger.current?.focus()
    close()
  }
  useHotkeys(opened ? [['Escape', leave]] : [])
  useFocusOnNavigate()
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on this page */}
      <a href="#main" className={classes.skip} onClick={skip}>
        Skip to content
      </a>
      <header ref={header} className={classes.header}>
        <Link to="/" className={classes.brand} aria-label="Rowferry, home" onClick={close}>
          <Logo host={location.hostname} />
        </Link>
        <nav className={classes.row} aria-label="Main">
          <Links entries={entries} />
        </nav>
        <div className={classes.tools}>
          <ThemeToggle />
          {tools}
          <Burger
            ref={burger}
            className={classes.burger}
            opened={opened}
            onClick={toggle}
            size="sm"
            aria-label={opened ? 'Close menu' : 'Open menu'}
            aria-expanded={opened}
            aria-controls="mobile-menu"
          />
        </div>
        <nav id="mobile-menu" className={classes.menu} aria-label="Main" hidden={!opened}>
          <Links entries={entries} onFollow={close} />
        </nav>
      </header>
      {banner}
      <main ref={main} id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>{children}</div>
        {/* menus, lists and dialogs are put here */}
        <div id="overlays" />
      </main>
    </>
  )
}
