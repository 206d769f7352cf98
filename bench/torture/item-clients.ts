import { AUTHORIZATION } from '../http/servers'

export const ENTITY = 'Item'

type Sent = { method: string; path: string; body?: unknown; form?: FormData }
type Item = Record<string, string | number | null>
/** `next`: the cursor of the next page; `error`: why it was refused. */
export type Answer = { status: number; data: Item[] | null; next?: string; error?: string }

/** A request to one of the instances; status 0 for none that answers. */
export async function send(url: string, { method, path, body, form }: Sent): Promise<Answer> {
  const headers: Record<string, string> = { authorization: AUTHORIZATION }
  if (body !== undefined) headers['content-type'] = 'application/json'
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await response.text()
    const { data = null, pagination, error } = text ? JSON.parse(text) : {}
    return { status: response.status, data, next: pagination?.next, error }
  } catch (error) {
    return { status: 0, data: null, error: (error as Error).message }
  }
}

/** A form with a file. */
export function formWith(content: Uint8Array | string, name: string): FormData {
  const form = new FormData()
  form.set('file', new Blob([content as BlobPart]), name)
  return form
}
