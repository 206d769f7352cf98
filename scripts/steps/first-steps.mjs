import { readFileSync } from 'node:fs'
import { ROOT, StepError } from './run.mjs'

const SAMPLE = { id: 'com.ourairports.world-airports', file: 'world-airports.zip' }

/** The search that is shown. */
export const SEARCH = {
  path: '/api/entities/Airport/search',
  body: {
    fields: ['name', 'municipality', 'iataCode', 'location'],
    query: [
      { field: 'country', operator: 'eq', value: 'IS' },
      { field: 'name', operator: 'ilike', value: 'international' },
    ],
    sort: [{ field: 'name', direction: 'asc' }],
    pagination: { page: 0, size: 3 },
  },
}

/** Installs the sample plugin unless it is there. Answers the install's counts, or null. */
export async function installSample(url, key) {
  const known = await call(`${url}/api/plugins/${SAMPLE.id}`, key)
  if (known.status === 200) return null
  if (known.status === 401)
    throw new StepError('The API key is not valid here: the database has another administrator.')
  const form = new FormData()
  const bytes = readFileSync(`${ROOT}public/samples/${SAMPLE.file}`)
  form.set('file', new Blob([bytes], { type: 'application/zip' }), SAMPLE.file)
  const { status, body } = await call(`${url}/api/plugins/install/zip`, key, form)
  if (status !== 200) throw new StepError(`The sample was not installed: ${body.error}`)
  if (body.data.failedCount > 0)
    throw new StepError(`${body.data.failedCount} files of the sample were not installed.`)
  return body.data
}

/** Runs the search and answers what the server answered. */
export async function search(url, key) {
  const { status, body } = await call(url + SEARCH.path, key, JSON.stringify(SEARCH.body))
  if (status !== 200) throw new StepError(`The search failed: ${body.error}`)
  return body
}

async function call(url, key, body) {
  const json = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}
  const headers = { Authorization: `Bearer ${key}`, ...json }
  const response = await fetch(url, { method: body ? 'POST' : 'GET', headers, body })
  return { status: response.status, body: await response.json() }
}
