import { glob, readFile } from 'node:fs/promises'
import { sep } from 'node:path'
import { type SourceFile, structureFaults } from './structure-rules.ts'

const SOURCES = '{src,sandbox,scripts,test,bench}/**/*.{ts,tsx,mjs,css,html}'
const NOT_OURS = /(^|\/)(node_modules|dist|recordings)\//

const files: SourceFile[] = []
for await (const found of glob(SOURCES)) {
  const path = found.replaceAll(sep, '/')
  if (NOT_OURS.test(path)) continue
  files.push({ path, lines: (await readFile(path, 'utf8')).trimEnd().split('\n').length })
}
const faults = structureFaults(files)
for (const fault of faults) console.log(fault)
console.log(`${files.length} files, ${faults.length} faults`)
process.exit(faults.length || !files.length ? 1 : 0)
