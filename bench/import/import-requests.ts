import { openAsBlob } from 'node:fs'
import { AUTHORIZATION } from '../http/servers'

const HEADERS = { authorization: AUTHORIZATION }

type Import = { id: string; status: string; created: number; doneRows: number }

async function answered(response: Response): Promise<Import> {
  const { data, error } = (await response.json()) as { data: Import[]; error?: string }
  if (!response.ok || !data[0]) throw new Error(error ?? `${response.status}`)
  return data[0]
}

/** Sends a file as a client does; resolves when the import is over, or with `inBackground` when it has started. */
export async function importFile(url: string, path: string, inBackground = false): Promise<Import> {
  const body = new FormData()
  body.set('file', await openAsBlob(path), 'people.csv')
  const headers = { ...HEADERS, ...(inBackground ? { prefer: 'respond-async' } : {}) }
  return answered(
    await fetch(`${url}/api/entities/Member/import`, { method: 'POST', headers, body }),
  )
}

/** Cancels an import in its midst. Returns the milliseconds until it has ended. */
export async function cancelInMidst(url: string, path: string, rows: number): Promise<number> {
  const { id } = await importFile(url, path, true)
  const read = async () => answered(await fetch(`${url}/api/imports/${id}`, { headers: HEADERS }))
  for (let found = await read(); found.doneRows < rows; found = await read())
    if (found.status === 'DONE') throw new Error('The import was over before it was cancelled')
  const startedAt = performance.now()
  const cancel = { method: 'POST', headers: HEADERS }
  await answered(await fetch(`${url}/api/imports/${id}/cancel`, cancel))
  const found = await read()
  if (found.status !== 'CANCELLED') throw new Error(`It is ${found.status}`)
  return performance.now() - startedAt
}
