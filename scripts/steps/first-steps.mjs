import { readFileSync } from 'node:fs'
import { ROOT, StepError } from './run.mjs'

const SAMPLE = 'world-airports.zip'

/** The search that is shown. */
export const SEARCH = {
  path: '/api/entities/Airport/search',
  body: {
    fields: ['name', 'municipality', 'iataCode', 'location'],
    query: [
      { field: 'country', operator: 'eq', value: 'JP' },
      { field: 'name', operator: 'ilike', value: 'international' },
    ],
    sort: [{ field: 'name', direction: 'asc' }],
    pagination: { page: 0, size: 3 },
  },
}

/** The result of the search, or null while the server has no airports. */
export async function search(url, key) {
  const { status, body } = await call(url + SEARCH.path, key, JSON.stringify(SEARCH.body))
  if (status === 404) return null
  if (status === 401)
    throw new StepError('The API key is not valid here: the database has another administrator.')
  if (status !== 200) throw new StepError(`The search failed: ${body.error}`)
  return body.pagination.total > 0 ? body : null
}

/** Installs the sample plugin through the API and returns the install's counts. */
export async function installSample(url, key) {
  const form = new FormData()
  const bytes = readFileSync(`${ROOT}public/samples/${SAMPLE}`)
  form.set('file', new Blob([bytes], { type: 'application/zip' }), SAMPLE)
  const { status, body } = await call(`${url}/api/plugins/install/zip`, key, form)
  if (status !== 200) throw new StepError(`The sample was not installed: ${body.error}`)
  if (body.data.failedCount > 0)
    throw new StepError(`${body.data.failedCount} files of the sample were not installed.`)
  return body.data
}

/** How long a server that is still busy with its start is asked again. */
const WAIT_LIMIT_MS = 60_000

async function call(url, key, body) {
  const json = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}
  const headers = { Authorization: `Bearer ${key}`, ...json }
  for (const until = Date.now() + WAIT_LIMIT_MS; ; ) {
    const response = await fetch(url, { method: 'POST', headers, body })
    const content = await response.json()
    if (response.status !== 503 || Date.now() > until)
      return { status: response.status, body: content }
    const seconds = Number(response.headers.get('retry-after')) || 1
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}
