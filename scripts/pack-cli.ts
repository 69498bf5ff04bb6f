import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import * as z from 'zod/mini'

const run = promisify(execFile)

const root = join(import.meta.dirname, '..')
// The oldest Node that the command line runs on.
const NODE_MAJOR = 20

const Manifest = z.object({ version: z.string(), license: z.string() })
const Packed = z.tuple([z.object({ filename: z.string(), size: z.int(), unpackedSize: z.int() })])

/**
 * Builds the package of the command line in `folder` and returns its path and sizes in bytes. All code is in one JavaScript file,
 * because Node does not strip types under node_modules; the package has no dependencies.
 */
async function packCommandLine(folder: string) {
  await mkdir(folder, { recursive: true })
  const content = await mkdtemp(join(folder, 'content-'))
  try {
    await bundle(content)
    const { version, license } = Manifest.parse(
      JSON.parse(await readFile(join(root, 'package.json'), 'utf8')),
    )
    const manifest = {
      name: 'rowferry-cli',
      version,
      description: 'The command line of a Rowferry server.',
      license,
      type: 'module',
      bin: { rowferry: 'rowferry.js' },
      engines: { node: `>=${NODE_MAJOR}` },
    }
    await writeFile(join(content, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    await copyFile(join(root, 'docs/command-line.md'), join(content, 'README.md'))
    await copyFile(join(root, 'LICENSE'), join(content, 'LICENSE'))
    // The only package in the bundle; its license asks for its notice.
    await copyFile(join(root, 'node_modules/zod/LICENSE'), join(content, 'LICENSE-zod'))
    const { stdout } = await run('npm', ['pack', '--json', '--offline'], { cwd: content })
    const [{ filename, size, unpackedSize }] = Packed.parse(JSON.parse(stdout))
    const file = join(folder, filename)
    await rename(join(content, filename), file)
    return { file, size, unpackedSize }
  } finally {
    await rm(content, { recursive: true })
  }
}

async function bundle(folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'src/cli/main.ts',
      outDir: folder,
      target: `node${NODE_MAJOR}`,
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'rowferry.js', banner: '#!/usr/bin/env node' } },
    },
  })
  await chmod(join(folder, 'rowferry.js'), 0o755)
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1024)} kB`

const { file, size, unpackedSize } = await packCommandLine(resolve(process.argv[2] ?? join(root, 'dist/cli')))
console.log(`${relative(process.cwd(), file)}: ${kilobytes(size)}, ${kilobytes(unpackedSize)} installed`)
