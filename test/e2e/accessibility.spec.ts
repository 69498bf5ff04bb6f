import { readFile } from 'node:fs/promises'
import { expect, test } from './app-test.ts'
import { findsNothing } from './axe.ts'
import { compilerRuleScreens } from './compiler-rule-screens.ts'
import { compilerScreens } from './compiler-screens.ts'
import { helpScreens } from './help-screens.ts'
import { homeStates } from './home-screens.ts'
import { lineageScreens } from './lineage-screens.ts'
import { otherScreens } from './other-screens.ts'
import { paletteStates } from './palette-screens.ts'
import { planScreens } from './plan-screens.ts'
import { runScreens } from './run-screens.ts'
import { sourceScreens } from './source-screens.ts'
import { taskScreens } from './task-screens.ts'
import { tokenScreens } from './token-screens.ts'
import { typeScreens } from './type-screens.ts'

const screens = {
  ...taskScreens,
  ...sourceScreens,
  ...typeScreens,
  ...compilerScreens,
  ...compilerRuleScreens,
  ...planScreens,
  ...lineageScreens,
  ...runScreens,
  ...tokenScreens,
  ...helpScreens,
  ...otherScreens,
  '/': { ...homeStates, ...paletteStates },
}

// The screens do not depend on each other: each free worker takes the next one.
test.describe.configure({ mode: 'parallel' })
test.use({ reducedMotion: 'reduce' })

for (const [path, states] of Object.entries(screens))
  test(`axe finds nothing on ${path}, light and dark, on a desk and on a phone`, async ({ page }) => {
    // Each state is checked in three combinations of viewport and colour scheme.
    test.slow()
    for (const [state, show] of Object.entries(states)) {
      await expect(await show(page)).toBeVisible()
      await findsNothing(page, state)
    }
  })

test('every screen of the router is checked', async () => {
  const router = await readFile(new URL('../../src/web/router.tsx', import.meta.url), 'utf8')
  const paths = [...router.matchAll(/^\s+(?:\{ )?path: '([^']+)'/gm)].map(([, path]) => path)
  expect(paths.length).toBeGreaterThan(10)
  expect(Object.keys(screens).sort()).toEqual(paths.sort())
})
