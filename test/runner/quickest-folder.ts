import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const MEMORY_NEEDED = 2 * 1024 ** 3

/** The fastest folder for temporary files: memory if there is enough; some disks take 0.6 ms for each new file. */
export async function quickestFolder(): Promise<string> {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = await statfs(MEMORY)
  return bavail * bsize > MEMORY_NEEDED ? MEMORY : tmpdir()
}
