import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDisclosure, useFocusWithin, useHotkeys } from '@mantine/hooks'
import { IconMenu2, IconMoon, IconSun, IconX } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import classes from './app-shell.module.css'
import { Logo } from './logo.tsx'
import { useFocusOnNavigate } from './use-focus-on-navigate.ts'

/** An entry of the main navigation. Home is active on its exact path, all others by prefix; `includes` are other screens that belong to it. */
export type NavEntry = { label: string; path: string; includes?: readonly string[] }

function Links({ entries, onFollow }: { entries: readonly NavEntry[]; onFollow?: () => void }) {
  const { pathname } = useLocation()
  return entries.map(({ label, path, includes = [] }) =>
    includes.includes(pathname) ? (
      <Link key={path} to={path} aria-current="true" className={classes.link} onClick={onFollow}>
        {label}
      </Link>
    ) : (
      <NavLink key={path} to={path} end={path === '/'} className={classes.link} onClick={onFollow}>
        {label}
      </NavLink>
    ),
  )
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

type Props = {
  entries: readonly NavEntry[]
  search: ReactNode
  tools: ReactNode
  banner: ReactNode
  children: ReactNode
}

/** Page layout: header with navigation, optional banner, content. */
export function AppShell({ entries, search, tools, banner, children }: Props) {
  const [opened, { toggle, close }] = useDisclosure(false)
  const burger = useRef<HTMLButtonElement>(null)
  const main = useRef<HTMLElement>(null)
  // The open menu would cover the next focused element.
  const { ref: header } = useFocusWithin({ onBlur: close })
  // Sets the focus without a history entry.
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
      {/* biome-ignore lint/a11y/useValidAnchor: it is an in-page link */}
      <a href="#main" className={classes.skip} onClick={skip}>
        Skip to content
      </a>
      <header ref={header} className={classes.header}>
        {/* No Tab stop: the navigation begins with the same link. */}
        <Link to="/" className={classes.brand} aria-label="Rowferry, home" tabIndex={-1} onClick={close}>
          <Logo host={location.hostname} />
        </Link>
        <nav className={classes.row} aria-label="Main" data-roving>
          <Links entries={entries} />
        </nav>
        <div className={classes.tools} data-roving>
          {search}
          <ThemeToggle />
          {tools}
          <ActionIcon
            ref={burger}
            className={classes.burger}
            onClick={toggle}
            size={36}
            aria-label={opened ? 'Close menu' : 'Open menu'}
            aria-expanded={opened}
            aria-controls="mobile-menu"
          >
            {opened ? <IconX size={20} /> : <IconMenu2 size={20} />}
          </ActionIcon>
        </div>
        <nav id="mobile-menu" className={classes.menu} aria-label="Main" hidden={!opened}>
          <Links entries={entries} onFollow={close} />
        </nav>
      </header>
      {banner}
      <main ref={main} id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>{children}</div>
        {/* container of all portals: menus, lists and dialogs */}
        <div id="overlays" />
      </main>
    </>
  )
}
