import { afterAll, afterEach } from 'vitest'
import { cleanUpAfterFile, cleanUpAfterTest } from '../fixtures/clean-up.ts'

afterEach(cleanUpAfterTest)
afterAll(cleanUpAfterFile)
