import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'

const run = promisify(execFile)

/** A Vite root, its additional sources, and its output folder. */
type Site = { root: string; sources: string[]; output: string }

export const SANDBOX_PAGE: Site = {
  root: 'sandbox/page',
  sources: ['sandbox/page/**/*', 'sandbox/page-calls/wire.ts', 'package-lock.json'],
  output: 'sandbox/page/dist',
}

const SITES: Site[] = [
  {
    root: 'src/web',
    sources: ['src/web/**/*', 'src/contract/**/*', 'docs/*.md', 'docs/screenshots/*', 'package-lock.json'],
    output: 'dist/web',
  },
  SANDBOX_PAGE,
]

/** Vite failed to build a site; has Vite's message. */
export class BuildError extends Error {
  override name = 'BuildError'
}

/** Builds sites whose sources have changed. Throws BuildError. */
export async function buildWeb(): Promise<void> {
  const folder = join(import.meta.dirname, '..')
  // The pages are public, and another account may serve them.
  const umask = process.umask(0o022)
  try {
    await Promise.all(SITES.map((site) => buildSite(folder, site)))
  } finally {
    process.umask(umask)
  }
}

/** Builds a site unless its stamp matches the current sources. Returns true if it was built. */
export async function buildSite(folder: string, site: Site): Promise<boolean> {
  const stampFile = join(folder, site.output, '.sources')
  const stamp = await fingerprint(folder, site)
  if (existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp) return false
  const vite = join(import.meta.dirname, '../node_modules/vite/bin/vite.js')
  try {
    const args = [vite, 'build', site.root, '--logLevel', 'warn']
    // Overrides the environment of tests, so that React is built for production.
    const env = { ...process.env, NODE_ENV: 'production' }
    await run(process.execPath, args, { cwd: folder, timeout: 120_000, env })
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? error.stderr : error
    throw new BuildError(
      `The pages of ${site.root} could not be built.\n${stripVTControlCharacters(String(output))}`,
    )
  }
  await writeFile(stampFile, stamp)
  return true
}

async function fingerprint(folder: string, { sources, output }: Site): Promise<string> {
  const paths: string[] = []
  for await (const file of glob(sources, { cwd: folder, withFileTypes: true })) {
    const path = relative(folder, join(file.parentPath, file.name))
    if (file.isFile() && !path.startsWith(output) && !path.includes('.test.')) paths.push(path)
  }
  const hash = createHash('sha256')
  for (const path of paths.sort()) {
    hash.update(`${path}\0`).update(await readFile(join(folder, path)))
  }
  return hash.digest('hex')
}
