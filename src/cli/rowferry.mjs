#!/usr/bin/env node
// Starts the program with Node 24 of the packages. Plain JavaScript, because the system's Node runs this file.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folder = dirname(realpathSync(process.argv[1]))
const packaged = join(folder, '../../node_modules/node/bin/node')
const node = existsSync(packaged) ? packaged : process.execPath

const child = spawn(node, [join(folder, 'main.ts'), ...process.argv.slice(2)], { stdio: 'inherit' })
// A terminal sends signals to the whole process group; signals sent only to this process are forwarded to the child.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
