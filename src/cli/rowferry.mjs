#!/usr/bin/env node
// Hands over to the Node 24 among the packages. Plain JavaScript, because the machine's Node reads this file.
import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folder = dirname(realpathSync(process.argv[1]))
const packaged = join(folder, '../../node_modules/node/bin/node')
const node = existsSync(packaged) ? packaged : process.execPath

const child = spawn(node, [join(folder, 'main.ts'), ...process.argv.slice(2)], { stdio: 'inherit' })
// A terminal sends these to both of us; whoever sends them to us alone means the child.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
