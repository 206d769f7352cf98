import { isServer, QueryClient } from '@tanstack/react-query'
import { ApiError } from '@/lib/http/client'
import { exactJsonText, parseExactJson } from '@/lib/values/exact-json'

const STALE_MS = 15_000

/** Retries what may pass by itself; a refusal is an answer and is shown at once. */
export const makeQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (count, error) => count < 2 && isPassing(error),
        refetchOnWindowFocus: false,
      },
      // Answers go from the server to the browser as text, so that numbers keep their digits.
      dehydrate: { serializeData: exactJsonText },
      hydrate: { deserializeData: parseExactJson },
    },
  })

const isPassing = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 503)

let browserClient: QueryClient | undefined

/** One client a request on the server, one for the tab in the browser. */
export function getQueryClient(): QueryClient {
  if (isServer) return makeQueryClient()
  browserClient ??= makeQueryClient()
  return browserClient
}
