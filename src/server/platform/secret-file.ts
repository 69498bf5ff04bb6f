import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * The secret kept in a file that only its owner may read; made on first use (256 bits, base64url). Two processes
 * that ask at once get the same. Throws when the file is blank or the folder cannot be written.
 */
export function readOrCreateSecret(path: string): string {
  const secret = (readIfThere(path) ?? create(path)).trim()
  if (!secret) throw new Error(`${path} is empty: delete it and start again, or restore it from a backup.`)
  return secret
}

// Nothing is written where the secret is there: a disk that is full keeps no command from reading it.
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
  // A name that nobody can foresee, so that no link lies in wait.
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
    // A link, unlike a write, puts the whole file there or fails: nobody reads half a secret.
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8')
}
