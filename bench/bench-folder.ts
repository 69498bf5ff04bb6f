import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder for a benchmark's database and logs. Others may enter it, so that root's database lies in it too and goes with it. */
export async function benchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rowferry-bench-'))
  await chmod(folder, 0o755)
  return folder
}
