import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { targetFileMessages as texts } from '../../../../contract/file-targets/server-messages.ts'
import { OriginFailure } from '../../connector.ts'
import { isCode } from './file-version.ts'
import { lockPath } from './own-files.ts'

const Holder = z.object({ token: z.string(), run_id: z.int(), host: z.string(), pid: z.int() })
export type Holder = z.infer<typeof Holder>

/** How often a holder renews its lock, and after which time without that another run takes it over. */
const RENEW_MS = 10_000
const STALE_MS = 120_000
const POLL_MS = 200
/** A lock without content is about to be written, or its process was killed meanwhile. */
const EMPTY_STALE_MS = 5_000

/** Tokens of locks that this process holds. */
const own = new Set<string>()

/**
 * The lock of a file, which keeps writers of several tabs apart. A holder that is dead or frozen loses it to the next one, which first
 * removes its copy: from then on its rename fails.
 */
export class WriteLock {
  readonly holder: Holder
  readonly #path: string
  readonly #renewal: NodeJS.Timeout

  private constructor(path: string, holder: Holder) {
    this.holder = holder
    this.#path = path
    own.add(holder.token)
    this.#renewal = setInterval(() => void this.#renew(), RENEW_MS)
    this.#renewal.unref()
  }

  /** Waits for the lock until `signal` aborts. `waits` is called with the holder when it has to wait. Throws OriginFailure. */
  static async take(
    path: string,
    run_id: number,
    signal: AbortSignal,
    {
      waits,
      discard,
    }: { waits: (message: string) => Promise<void>; discard: (token: string) => Promise<void> },
  ): Promise<WriteLock> {
    const lock = lockPath(path)
    const holder = { token: randomUUID(), run_id, host: hostname(), pid: process.pid }
    let isTold = false
    for (;;) {
      signal.throwIfAborted()
      if (await created(lock, path, holder)) return new WriteLock(lock, holder)
      const other = await readHolder(lock)
      if (other === null) continue
      // An earlier attempt of this run has lost its lease.
      if (!isAlive(other) || other.holder.run_id === run_id) {
        await discard(other.holder.token)
        // Of two that do this at once the last one wins; the other one finds out before its rename.
        await replace(lock, holder)
        return new WriteLock(lock, holder)
      }
      if (!isTold) await waits(texts.being_written(basename(path), other.holder.run_id, other.holder.host))
      isTold = true
      await pause(POLL_MS, undefined, { signal })
    }
  }

  /** Whether no other run has taken it over. */
  async isHeld(): Promise<boolean> {
    return (await readHolder(this.#path))?.holder.token === this.holder.token
  }

  async release(): Promise<void> {
    clearInterval(this.#renewal)
    own.delete(this.holder.token)
    if (await this.isHeld()) await rm(this.#path, { force: true })
  }

  async #renew(): Promise<void> {
    const now = new Date()
    // If it fails, another run may take the lock over, which is safe.
    if (await this.isHeld()) await utimes(this.#path, now, now).catch(() => undefined)
  }
}

async function created(lock: string, path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(lock, JSON.stringify(holder), { flag: 'wx' })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    if (isCode(error, 'EACCES', 'EPERM', 'EROFS'))
      throw new OriginFailure('invalid', texts.not_permitted(basename(path)), { cause: error })
    throw error
  }
}

async function replace(lock: string, holder: Holder): Promise<void> {
  const next = `${lock}.${holder.token}`
  await writeFile(next, JSON.stringify(holder), { flag: 'wx' })
  await rename(next, lock)
}

/** A lock and the milliseconds since it was renewed. */
type FoundLock = { holder: Holder; age_ms: number }

/** The holder of a lock; null if there is no lock. */
export async function readHolder(lock: string): Promise<FoundLock | null> {
  try {
    const [content, { mtimeMs }] = await Promise.all([readFile(lock, 'utf8'), stat(lock)])
    const age_ms = Date.now() - mtimeMs
    return { holder: Holder.safeParse(parsed(content)).data ?? NO_HOLDER, age_ms }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

const NO_HOLDER: Holder = { token: '', run_id: 0, host: '', pid: 0 }

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    // A machine went down while it was written, or it is about to be.
    return null
  }
}

/** Whether the process that took a lock may still write. */
export function isAlive({ holder, age_ms }: FoundLock): boolean {
  if (age_ms > (holder === NO_HOLDER ? EMPTY_STALE_MS : STALE_MS)) return false
  if (holder.host !== hostname()) return true
  // A process of an earlier container may have had the same number.
  if (holder.pid === process.pid) return own.has(holder.token)
  try {
    process.kill(holder.pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}
