import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * The secret in a file that only its owner can read; created on first use (256 bits, base64url). Concurrent callers
 * get the same. Throws if the file is blank or the folder cannot be written.
 */
export function readOrCreateSecret(path: string): string {
  const secret = (readIfThere(path) ?? create(path)).trim()
  if (!secret) throw new Error(`${path} is empty: delete it and start again, or restore it from a backup.`)
  return secret
}

// An existing secret is only read, which works with a full disk.
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(ENOENT|ENOTDIR)$/.test(String(error.code)))
      return undefined
    throw error
  }
}

function create(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // An unpredictable name prevents link attacks.
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
    // A hard link creates the complete file or fails, so no process reads a partial secret.
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8')
}
