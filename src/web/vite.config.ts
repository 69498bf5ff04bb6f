import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

const BUDGET_KB = 260

type Bundle = Rolldown.OutputBundle

/** Names of the files a browser fetches for one chunk: itself, what it imports at once, and their styles. */
function filesOf(bundle: Bundle, name: string, seen = new Set<string>()): Set<string> {
  const chunk = bundle[name]
  if (seen.has(name) || chunk?.type !== 'chunk') return seen
  seen.add(name)
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style)
  for (const imported of chunk.imports) filesOf(bundle, imported, seen)
  return seen
}

/** Prints what the first visit to each screen costs, and fails the build where it costs more than the budget. */
function firstLoad(): Plugin {
  const font = readFileSync(new URL('ui/inter/inter-latin-400-700.woff2', import.meta.url))
  return {
    name: 'first-load',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const entry = chunks.find((chunk) => chunk.isEntry)
      const screens = chunks.filter((chunk) => chunk.facadeModuleId?.endsWith('-screen.tsx'))
      for (const screen of screens) {
        const files = filesOf(bundle, screen.fileName, entry && filesOf(bundle, entry.fileName))
        // woff2 is compressed already
        let bytes = font.length
        for (const name of files) {
          const file = bundle[name]
          if (file) bytes += gzipSync(file.type === 'chunk' ? file.code : file.source).length
        }
        const line = `first load of ${screen.name}: ${Math.round(bytes / 1000)} kB gzip`
        if (bytes > BUDGET_KB * 1000) this.error(`${line}, more than ${BUDGET_KB} kB`)
        this.info(line)
      }
    },
  }
}

const STYLED = /[\\/](\w+)\.module\.mjs$/

/** Adds to each component of Mantine its style sheet, so that styles load with their component; `vite dev` has all from the start. */
function mantineStyles(): Plugin[] {
  return [
    {
      name: 'mantine-styles',
      apply: 'build',
      transform: {
        filter: { id: STYLED },
        handler: (code, id) => {
          if (!id.includes('/@mantine/core/esm/')) return
          return `import '@mantine/core/styles/${STYLED.exec(id)?.[1]}.layer.css'\n${code}`
        },
      },
    },
    {
      name: 'all-mantine-styles',
      apply: 'serve',
      transform: {
        filter: { id: /src[\\/]web[\\/]main\.tsx$/ },
        handler: (code) => `import '@mantine/core/styles.layer.css'\n${code}`,
      },
    },
  ]
}

/** Files that a browser gets smaller than they are; pictures and fonts of the web are compressed already. */
const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest)$/

/** Writes each file compressed beside itself, once and as far as it goes, so that no request has to. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name))
      await Promise.all(
        names.map(async (name) => {
          const file = bundle[name]
          const content = file?.type === 'chunk' ? file.code : (file?.source ?? '')
          await writeFile(join(dir, `${name}.br`), await promisify(brotliCompress)(content))
          await writeFile(join(dir, `${name}.gz`), await promisify(gzip)(content, { level: 9 }))
        }),
      )
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), mantineStyles(), firstLoad(), compressed()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Modules that load together compress better in one file: what every page needs, and what the screens of tasks share.
          groups: [
            { name: 'frame', test: /src.web.(main|router)\.tsx/, priority: 1 },
            { name: 'tasks', test: /src.web.tasks.(state|live|cache|task-)/, minShareCount: 3 },
          ],
        },
      },
    },
    // older targets make the build rewrite light-dark() wrongly
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
})
