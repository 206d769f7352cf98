import { AppError } from '@/lib/errors'
import { isObject } from '@/lib/values/json'

export type Call = {
  method?: string
  query?: Record<string, string | undefined>
  body?: string | FormData
}

/** An engine, by its API. Each method throws an error with the engine's message for a response that is an error. */
export interface EngineClient {
  /** The JSON of a response. */
  json(path: string, call?: Call): Promise<Record<string, unknown>>
  bytes(path: string, call?: Call): Promise<{ bytes: Uint8Array }>
  /** All items of a list that comes in pages. */
  all<T>(path: string, query?: Call['query']): Promise<T[]>
}

/** For a response that is not as those of an engine are. */
export const notEngine = (why: string) =>
  new AppError('invalid_input', `The other server is not an engine: ${why}`)

/** All items of a list that comes at once. */
export async function listAt(client: EngineClient, path: string, query: Call['query'] = {}) {
  const { data } = await client.json(path, { query })
  if (Array.isArray(data) && data.every(isObject)) return data
  throw notEngine(`the response of ${path} is no list`)
}
