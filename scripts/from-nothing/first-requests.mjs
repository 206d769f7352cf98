import { BrowserSession } from '../steps/browser-session.mjs'
import { installSample, search } from '../steps/first-steps.mjs'
import { StepError } from '../steps/run.mjs'

const ACCOUNT = { email: 'first@example.com', password: 'from nothing to correct horses' }

/**
 * What people do first: they make the first administrator, or sign in as the one of the settings, then make a key, install
 * the sample and search. Returns what the search found. `appUrl`: the address people use, where a proxy is in front.
 * @param {string} url
 * @param {{ account?: { email: string, password: string } | null, appUrl?: string }} [options]
 * @returns {Promise<string>}
 */
export async function firstRequests(url, { account = null, appUrl = url } = {}) {
  const browser = new BrowserSession(url, appUrl)
  if (!account) await created(browser.post('/api/auth/setup', ACCOUNT))
  await browser.signIn(account ?? ACCOUNT)
  const page = await browser.send('/plugins')
  if (page.status !== 200) throw new StepError(`The console: ${page.status}`)
  const { apiKey } = await created(browser.post('/api/api-keys', { name: 'first' }))
  const { successCount } = await installSample(url, apiKey)
  const found = await search(url, apiKey)
  if (!found) throw new StepError('The search found nothing')
  return `${successCount} files installed, ${found.pagination.total} airports found`
}

async function created(request) {
  const response = await request
  const { data, error } = await response.json()
  if (response.status !== 201) throw new StepError(`${response.status}: ${error}`)
  return data[0]
}
