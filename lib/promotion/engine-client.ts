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
