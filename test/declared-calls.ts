import type { Call } from '../src/contract/calls.ts'
import { type SignedIn, type TestApp, testApp } from './app.ts'
import { aSpreadsheetId } from './factories.ts'

/** An app, somebody who is signed in, and every call that the contract declares, taken from the running app: none can be forgotten. */
export async function declaredCalls(): Promise<{ site: TestApp; ada: SignedIn; calls: Call[] }> {
  const site = await testApp()
  return { site, ada: await site.signIn(), calls: site.app.http.calls.map(({ call }) => call) }
}

/** Method and path of a call. */
export const titleOf = ({ method, path }: Call): string => `${method} ${path}`

/** An address of a call, whether or not there is anything. */
export const anywhere = ({ path }: Call): string =>
  path.replaceAll(/:\w+/g, (name) => (name === ':spreadsheet_id' ? aSpreadsheetId() : '1'))
