// Runs one of our TypeScript programs on a machine that has nothing but Node 20 and npm: installs what is missing,
// then hands over to the Node 24 among the packages. Plain JavaScript, because the machine's Node reads this file.
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
      // What Node has compiled once it need not compile at the next start.
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

// npm passes SIGTERM on to a shell at best, which ends without telling us; kill -9 of npm tells nobody.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref()
}

/** Whether node_modules holds what package-lock.json asks for: npm keeps a list of what it has installed. */
function isInstalled() {
  const list = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(list)) return false
  const { packages: installed } = JSON.parse(readFileSync(list, 'utf8'))
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  delete wanted['']
  const surplus = Object.keys(installed).some((path) => !wanted[path])
  // Optional packages are mostly those for other machines.
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
