import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Names of files that Rowferry keeps beside a target while it writes begin with it. */
const OWN_PREFIX = '.rowferry-'

const PART = /^\.rowferry-part-([0-9a-f]{16})-(\d+)-([0-9a-f]{16})-([0-9a-f-]{36})$/
const LOCK = /^\.rowferry-lock-([0-9a-f]{16})(?:\.([0-9a-f-]{36}))?$/

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** The lock of a target. */
export const lockPath = (path: string): string =>
  join(dirname(path), `${OWN_PREFIX}lock-${shortHash(basename(path))}`)

/** The copy of a file that a run writes. `tab`: id of the tab; `token`: of its lock. */
type Part = { path: string; run_id: number; tab: string; token: string }

/**
 * The path of a copy, beside the file that it will replace. Renaming it is what commits a change, so a run whose copy is removed cannot
 * commit any more.
 */
export const partPath = ({ path, run_id, tab, token }: Part): string =>
  `${partPrefix(path, run_id)}${shortHash(tab)}-${token}`

/** What the paths of all copies of a file that a run writes begin with. */
export const partPrefix = (path: string, run_id: number): string =>
  join(dirname(path), `${OWN_PREFIX}part-${shortHash(basename(path))}-${run_id}-`)

/** A name in a folder that belongs to a copy or a lock. `key`: which file it is for. */
export type OwnFile =
  | { kind: 'part'; key: string; run_id: number; tab: string; token: string }
  | { kind: 'lock'; key: string; isReady: boolean }

export function parseOwnName(name: string): OwnFile | null {
  const [, key = '', run_id, tab = '', token = ''] = PART.exec(name) ?? []
  if (run_id !== undefined) return { kind: 'part', key, run_id: Number(run_id), tab, token }
  const [, locked, next] = LOCK.exec(name) ?? []
  return locked === undefined ? null : { kind: 'lock', key: locked, isReady: next === undefined }
}

/** Paths of the copies of a file that meet a condition; none if its folder is gone. */
export async function findParts(
  path: string,
  isMeant: (part: { run_id: number; token: string; isOfTab: (tab: string) => boolean }) => boolean,
): Promise<string[]> {
  const key = shortHash(basename(path))
  const names = await readdir(dirname(path)).catch(() => [])
  return names.flatMap((name) => {
    const own = name.startsWith(OWN_PREFIX) ? parseOwnName(name) : null
    if (own?.kind !== 'part' || own.key !== key) return []
    const isOfTab = (tab: string) => own.tab === shortHash(tab)
    return isMeant({ ...own, isOfTab }) ? [join(dirname(path), name)] : []
  })
}

/** Removes such copies, so that their runs cannot commit them any more. */
export async function removeParts(...[path, isMeant]: Parameters<typeof findParts>): Promise<void> {
  for (const part of await findParts(path, isMeant)) await rm(part, { force: true })
}
