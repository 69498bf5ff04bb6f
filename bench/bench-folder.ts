import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder for a benchmark's database and logs, accessible to other accounts, because root's database runs as another one. */
export async function benchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rowferry-bench-'))
  await chmod(folder, 0o755)
  return folder
}
