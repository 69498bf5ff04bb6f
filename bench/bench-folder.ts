import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a folder for a benchmark's database and logs. Other accounts can access it, because a database started by root runs as one. */
export async function benchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rowferry-bench-'))
  await chmod(folder, 0o755)
  return folder
}
