// Writes a table into a workbook, and kills itself before one of the operations that change files. The copy itself is written by a child
// process, whose part in it counts as no operation. Arguments: folder, path of the file,
// number of the operation, counted from 1 (0: none is), and a folder that gets a copy of the folder before each operation (blank: none).
// Prints the operations.

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

const [folder = '', path = '', killAt = '0', states = ''] = process.argv.slice(2)
const operations: string[] = []
let isWriting = false

function before(name: string): void {
  operations.push(name)
  if (isWriting && states !== '')
    fs.cpSync(folder, join(states, String(operations.length)), { recursive: true })
  if (operations.length === Number(killAt)) process.kill(process.pid, 'SIGKILL')
}

/** Wraps a function that changes files. */
function watch(holder: object, name: string, isChange: (args: unknown[]) => boolean = () => true): void {
  const original: unknown = Reflect.get(holder, name)
  if (typeof original !== 'function') throw new Error(`There is no ${name}`)
  Reflect.set(holder, name, function watched(this: unknown, ...args: unknown[]) {
    if (isChange(args)) before(name)
    return Reflect.apply(original, this, args)
  })
}

const handle = await fs.promises.open(join(folder, 'probe'), 'w')
const prototype: object = Object.getPrototypeOf(handle)
await handle.close()
fs.rmSync(join(folder, 'probe'))
for (const name of ['write', 'sync']) watch(prototype, name)
// Not those of the temporary folder.
const isHere = ([changed]: unknown[]) => String(changed).startsWith(folder)
for (const name of ['writeFile', 'rename', 'link', 'rm', 'chmod', 'chown']) watch(fs.promises, name, isHere)
watch(fs.promises, 'open', ([, flags]) => typeof flags === 'string' && flags.startsWith('w'))
for (const name of ['writeSync', 'unlinkSync']) watch(fs, name)
syncBuiltinESMExports()

// Imported after the functions are wrapped.
const { changeTo, fileReference, targetContext, write } = await import('../fixtures/file-target.ts')
const folders = [{ name: 'Out', path: folder, writable: true }]
operations.length = 0
isWriting = true
const rows = Array.from({ length: 40 }, (_, row) => [`new ${row}`, row, row % 2 === 0])
await write(folders, fileReference(path), changeTo(rows), targetContext(1))
isWriting = false
console.log(JSON.stringify(operations))
