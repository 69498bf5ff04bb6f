import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { LaunchOptions } from '@playwright/test'
import chromium, { inflate } from '@sparticuz/chromium'
import { z } from 'zod'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache')

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Launch options for the Chromium of the npm package, or for the one at CHROME. Throws if it does not run on this machine. */
export async function chromiumOptions(): Promise<LaunchOptions> {
  if (process.env.CHROME) return { executablePath: process.env.CHROME, args: ARGUMENTS }
  const folder = await unpackedChromium()
  const executablePath = join(folder, 'chromium')
  if (await runs(executablePath)) return { executablePath, args: ARGUMENTS }
  // A machine without a desktop lacks shared libraries that the package includes.
  const env = { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') }
  if (await runs(executablePath, env))
    return { executablePath, args: ARGUMENTS, env: { ...process.env, ...env } }
  throw new Error(
    `${executablePath} does not run here: install a browser and name it with CHROME=/path/to/it.`,
  )
}

async function runs(program: string, env: Record<string, string> = {}): Promise<boolean> {
  try {
    await promisify(execFile)(program, ['--version'], { env: { ...process.env, ...env }, timeout: 30_000 })
    return true
  } catch {
    return false
  }
}

/** Folder of the unpacked browser. It is unpacked into a draft folder and renamed, so an interrupted attempt leaves no partial browser. */
async function unpackedChromium(): Promise<string> {
  const folderOfPackage = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..')
  const description = JSON.parse(await readFile(join(folderOfPackage, 'package.json'), 'utf8'))
  const folder = join(CACHE, `chromium-${z.object({ version: z.string() }).parse(description).version}`)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const draft = await mkdtemp(`${folder}-`)
  const { TMPDIR } = process.env
  try {
    // The package unpacks into the temporary folder.
    process.env.TMPDIR = draft
    await chromium.executablePath()
    await inflate(join(folderOfPackage, 'bin/al2023.tar.br'))
    if (!existsSync(folder)) await rename(draft, folder)
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    await rm(draft, { recursive: true, force: true })
  }
  return folder
}
