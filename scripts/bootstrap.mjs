// Runs a TypeScript program on a machine with only Node 20 and npm: installs missing packages, then starts the program with Node 24
// from node_modules. Plain JavaScript, because the installed Node runs this file.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [script, ...args] = process.argv.slice(2)
if (!script) {
  console.error('usage: node scripts/bootstrap.mjs SCRIPT [ARGUMENTS]')
  process.exit(2)
}

if (!isInstalled()) {
  console.error('Installing packages (npm ci), about half a minute …')
  const npm = process.env.npm_execpath
  const [command, ...start] = npm ? [process.execPath, npm] : ['npm']
  const { status, error } = spawnSync(
    command,
    [...start, 'ci', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
    },
  )
  if (error) console.error(error.message)
  if (status !== 0) {
    console.error('npm ci failed: the messages above say why.')
    process.exit(1)
  }
}

const child = spawn(
  nodeOfThePackage(),
  ['--import', join(root, 'scripts/exit-with-parent.ts'), join(root, script), ...args],
  {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      // Compile cache for faster starts.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
    },
  },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})

// npm forwards SIGTERM at most to its shell, and kill -9 of npm is not reported, so the parent process is polled.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref()
}

/** True if node_modules matches package-lock.json, according to npm's own list of installed packages. */
function isInstalled() {
  const list = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(list)) return false
  const { packages: installed } = JSON.parse(readFileSync(list, 'utf8'))
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  delete wanted['']
  const surplus = Object.keys(installed).some((path) => !wanted[path])
  // Missing optional packages are usually those of other platforms.
  const missing = Object.entries(wanted).some(([path, { version, optional }]) =>
    installed[path] ? installed[path].version !== version : !optional,
  )
  return !surplus && !missing
}

function nodeOfThePackage() {
  const path = join(root, 'node_modules/node/bin/node')
  if (existsSync(path)) return path
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath
  console.error(
    `This needs Node 24; the machine has ${process.versions.node} and npm did not run the install script of the ` +
      'package "node". Run: npm install-scripts approve node && npm ci, or npm rebuild node.',
  )
  process.exit(1)
}
