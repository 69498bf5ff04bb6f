import { afterAll, afterEach } from 'vitest'
import { cleanUpAfterFile, cleanUpAfterTest } from './clean-up.ts'

afterEach(cleanUpAfterTest)
afterAll(cleanUpAfterFile)
