/** Path from the repository root with `/` separators. */
export type SourceFile = { path: string; lines: number }

const MAX_LINES = 400
const EMPTY_NAMES = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'manager',
  'managers',
  'shared',
  'stuff',
]
// Stylesheets and tests are not counted.
const MAX_COMPONENTS = 25
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/

// Allowed suffixes before the extension: `mount.test.ts`, `home-screen.module.css`, `pino-roll.d.ts`.
const SECOND_ENDINGS = ['test', 'spec', 'module', 'config', 'd']

/** Returns structure violations with their solution. */
export function structureFaults(files: SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const faults = files.flatMap((file) =>
    [
      ...namingFaults(file.path),
      ...lengthFaults(file),
      ...serverFeatureFaults(file.path, paths),
      ...webFeatureFaults(file.path),
      ...contractFaults(file.path),
    ].map((fault) => `${file.path}: ${fault}`),
  )
  return [...faults, ...crowdedFolders(files)]
}

function crowdedFolders(files: SourceFile[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of files) {
    const [, folder] = /^(src\/web\/features\/[^/]+\/[a-z-]+)\/[^.]+\.tsx?$/.exec(path) ?? []
    if (folder) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > MAX_COMPONENTS)
    .map(
      ([folder, count]) =>
        `${folder}: ${count} files, more than ${MAX_COMPONENTS}: split the folder. What several task categories need belongs to src/web/tasks.`,
    )
}

function namingFaults(path: string): string[] {
  const parts = path.split('/')
  const [stem = '', ...endings] = (parts.at(-1) ?? '').split('.')
  const names = [...parts.slice(0, -1), stem]
  const faults: string[] = []
  for (const name of names) {
    if (!KEBAB_CASE.test(name)) faults.push(`"${name}" is not kebab-case, such as "copy-rows".`)
    const empty = name.split('-').find((word) => EMPTY_NAMES.includes(word))
    if (empty) faults.push(`"${empty}" says nothing: name it after the one topic it is about.`)
  }
  if (stem === 'index' && /^tsx?$/.test(endings[0] ?? '')) {
    faults.push('no index files: import from the file that holds the thing.')
  }
  if (endings.length > 2 || (endings.length === 2 && !SECOND_ENDINGS.includes(endings[0] ?? ''))) {
    faults.push(`"${endings.slice(0, -1).join('.')}" is no ending in use: ${SECOND_ENDINGS.join(', ')}.`)
  }
  return faults
}

function lengthFaults({ path, lines }: SourceFile): string[] {
  if (lines <= MAX_LINES) return []
  return [`${lines} lines, more than ${MAX_LINES}: it holds more than one topic. ${splitAdvice(path)}`]
}

function splitAdvice(path: string): string {
  const name = /src\/server\/features\/[^/]+\/(commands|queries)\.ts$/.exec(path)?.[1]
  return name
    ? `Make ${name}/ of it, with one file per ${name === 'commands' ? 'command' : 'question'}.`
    : 'Split it by topic.'
}

function serverFeatureFaults(path: string, paths: Set<string>): string[] {
  const [, folder, inside] = /^(src\/server\/features\/[^/]+)\/(.+)$/.exec(path) ?? []
  if (folder === undefined || inside === undefined || inside.endsWith('.test.ts')) {
    return /^src\/server\/features\/[^/]+\.tsx?$/.test(path) ? ['put it into the folder of its feature.'] : []
  }
  const [, folderOf] = /^(commands|queries)\/[^/]+\.ts$/.exec(inside) ?? []
  if (folderOf) {
    return paths.has(`${folder}/${folderOf}.ts`)
      ? [`move what is left of ${folderOf}.ts into ${folderOf}/.`]
      : []
  }
  if (/^(routes|queries|commands|csv)\.ts$/.test(inside)) return []
  return [
    'a feature holds routes.ts, queries.ts, commands.ts, csv.ts and tests. What reads belongs to queries, what changes to ' +
      'commands (either may be a folder of files), what several features need to tasks/, snapshots/, engine/ or platform/.',
  ]
}

function webFeatureFaults(path: string): string[] {
  const [, inside] = /^src\/web\/features\/[^/]+\/(.+)$/.exec(path) ?? []
  if (inside === undefined || /\.test\.tsx?$/.test(inside)) return []
  if (/^[a-z0-9-]+-screen\.(tsx|module\.css)$/.test(inside) || /^(api\.ts|descriptor\.tsx)$/.test(inside))
    return []
  if (/^[a-z-]+\/[^/]+\.(tsx?|module\.css)$/.test(inside)) return []
  return [
    'a feature holds <name>-screen.tsx, api.ts, descriptor.tsx and components/. Calls belong to api.ts; rules and parts of a screen to ' +
      'components/, or to a folder of their own where a part has many; what tasks of every category share to tasks/; what has no domain words to ui/ or lib/.',
  ]
}

function contractFaults(path: string): string[] {
  const [, inside] = /^src\/contract\/(.+)$/.exec(path) ?? []
  if (inside === undefined || inside.endsWith('.test.ts')) return []
  if (!/messages\.ts$/.test(inside)) return []
  if (inside === 'field-messages.ts' || /^[^/]+\/(client|server|field|dialog)-messages\.ts$/.test(inside))
    return []
  return [
    'texts of an area are in src/contract/<area>/: client-messages.ts (said by pages), server-messages.ts (said by the server), ' +
      'field-messages.ts (checks of its calls) or dialog-messages.ts (loaded with a dialog).',
  ]
}
