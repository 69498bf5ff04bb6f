import { execFile, spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../deploy')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

if (!hasSystemd) console.info('The systemd units are not judged: this machine has no systemd-analyze.')

it.runIf(hasSystemd)(
  'the systemd units have an exposure of at most 2.5 by systemd-analyze security',
  async () => {
    const units = (await readdir(FOLDER)).filter((name) => name.endsWith('.service'))
    expect(units.length).toBeGreaterThan(1)
    for (const unit of units) {
      const args = ['security', '--offline=true', '--no-pager', join(FOLDER, unit)]
      const { stdout } = await promisify(execFile)('systemd-analyze', args)
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])
      expect(exposure, unit).toBeLessThanOrEqual(2.5)
    }
  },
)
