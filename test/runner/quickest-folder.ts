import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const MEMORY_NEEDED = 2 * 1024 ** 3

/** The fastest folder for temporary files: in memory if there is enough, because some disks need 0.6 ms per new file. */
export async function quickestFolder(): Promise<string> {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = await statfs(MEMORY)
  return bavail * bsize > MEMORY_NEEDED ? MEMORY : tmpdir()
}
