import type { Stats } from 'node:fs'
import { chmod, chown, link, open, rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { targetFileMessages as texts } from '../../../../contract/file-targets/server-messages.ts'
import { OriginFailure } from '../../connector.ts'
import type { TargetContext } from '../../target-context.ts'
import { findEditorLock } from '../editor-lock.ts'
import { type FileVersion, isCode, NO_FILE, versionOf } from './file-version.ts'
import { partPath, removeParts } from './own-files.ts'
import { refuseUnwritable, type TargetFile } from './target-file.ts'
import { WriteLock } from './write-lock.ts'

const POLL_MS = 1_000

type Context = Pick<
  TargetContext,
  'run_id' | 'signal' | 'commit_signal' | 'beforeRequest' | 'log' | 'progress'
>

/** How a file is replaced. */
export type Replacement = {
  file: TargetFile
  /** Id of the tab that changes. */
  tab: string
  /** The content that the change was made for; the file is replaced only while it has it. */
  expected: FileVersion
  /** Estimated growth in bytes. */
  growth: number
  /** Writes the new content to a path, which does not exist yet. */
  write: (out: string) => Promise<void>
  context: Context
}

/**
 * Replaces a file atomically: the new content is written beside it, flushed, and renamed. Throws OriginFailure without having changed the
 * file: `tab_gone` if it is not the expected one any more, or if another run has taken it over.
 */
export async function replaceFile(replacement: Replacement): Promise<void> {
  const { file, context } = replacement
  try {
    await waitUntilClosed(file, context)
    const lock = await WriteLock.take(file.path, context.run_id, context.signal, {
      waits: context.log,
      discard: (dead) => removeParts(file.path, ({ token }) => token === dead),
    })
    const part = partPath({
      ...{ path: file.path, run_id: context.run_id, tab: replacement.tab },
      token: lock.holder.token,
    })
    try {
      await writePart(part, replacement)
      await commit(part, lock, replacement)
    } finally {
      await rm(part, { force: true })
      await lock.release()
    }
  } catch (error) {
    throw fileFailure(error, file.name)
  }
}

/** Waits while the file is open in a spreadsheet program, until the run is stopped or takes too long. */
export async function waitUntilClosed(
  { path, name }: TargetFile,
  { signal, log, progress }: Pick<Context, 'signal' | 'log' | 'progress'>,
): Promise<void> {
  let told = ''
  for (;;) {
    const lock = await findEditorLock(path)
    if (lock === null) return
    const message = texts.open_in(name, lock.owner, lock.file)
    if (message !== told) await log(message)
    told = message
    await progress({ phase: texts.waiting(name) })
    await pause(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

async function writePart(part: string, replacement: Replacement): Promise<void> {
  const { file, context, write } = replacement
  await context.beforeRequest()
  await requireExpected(replacement)
  const former = file.exists ? await refuseUnwritable(file.path, file.name) : null
  await requireSpace(replacement, former)
  await write(part)
  if (former) await keepOwner(part, former)
  await sync(part)
}

/** The last checks, and the rename. Between the two, nothing protects from a program that does not know the lock (decision 159). */
async function commit(part: string, lock: WriteLock, replacement: Replacement): Promise<void> {
  const { file, context } = replacement
  await context.beforeRequest()
  await waitUntilClosed(file, context)
  await requireExpected(replacement)
  if (!(await lock.isHeld())) throw new OriginFailure('tab_gone', texts.superseded(file.name))
  context.commit_signal.throwIfAborted()
  try {
    if (replacement.expected === NO_FILE) await create(part, file.path)
    else await rename(part, file.path)
  } catch (error) {
    if (isCode(error, 'ENOENT')) throw new OriginFailure('tab_gone', texts.superseded(file.name))
    if (isCode(error, 'EEXIST')) throw new OriginFailure('tab_gone', texts.changed(file.name))
    throw error
  }
  await sync(dirname(file.path))
}

/** Fails if the file exists meanwhile. File systems without hard links cannot do that in one step; those of rclone say EIO. */
async function create(part: string, path: string): Promise<void> {
  try {
    await link(part, path)
  } catch (error) {
    if (!isCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EIO')) throw error
    if ((await versionOf(path, basename(path))) !== NO_FILE)
      throw new OriginFailure('tab_gone', texts.changed(basename(path)))
    await rename(part, path)
  }
}

async function requireExpected({ file, expected }: Replacement): Promise<void> {
  if ((await versionOf(file.path, file.name)) !== expected)
    throw new OriginFailure('tab_gone', texts.changed(file.name))
}

async function requireSpace({ file, growth }: Replacement, former: Stats | null): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(file.path))
  const [needed, free] = [(former?.size ?? 0) + growth, bavail * bsize]
  if (free < needed) throw new OriginFailure('unavailable', texts.no_space(file.name, needed, free))
}

/** Owner, group and mode, as far as this process may set them. */
async function keepOwner(part: string, { uid, gid, mode }: Stats): Promise<void> {
  const ignoreRefused = (error: unknown) => {
    if (!isCode(error, 'EPERM', 'EACCES', 'ENOTSUP', 'ENOSYS', 'EINVAL')) throw error
  }
  await chown(part, uid, gid).catch(ignoreRefused)
  // Changing the owner clears some bits of the mode.
  await chmod(part, mode & 0o7777).catch(ignoreRefused)
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Some file systems cannot flush a folder.
    if (!isCode(error, 'EINVAL', 'EISDIR', 'EPERM', 'ENOTSUP', 'EACCES')) throw error
  } finally {
    await handle.close()
  }
}

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG']
const REFUSED = ['EACCES', 'EPERM', 'EROFS']
const PASSING = ['EIO', 'ESTALE', 'EBUSY', 'ETXTBSY', 'EAGAIN', 'EMFILE', 'ENFILE', 'ETIMEDOUT', 'ENOTCONN']

/** An error of the file system as OriginFailure; others as they are. */
export function fileFailure(error: unknown, name: string): unknown {
  if (isCode(error, ...FULL)) return new OriginFailure('unavailable', texts.disk_full(name), { cause: error })
  if (isCode(error, ...REFUSED))
    return new OriginFailure('invalid', texts.not_permitted(name), { cause: error })
  if (isCode(error, ...PASSING))
    return new OriginFailure('unavailable', texts.not_reachable(name), { cause: error })
  return error
}
