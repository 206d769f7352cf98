import { isServer, QueryClient } from '@tanstack/react-query'
import { ApiError } from '@/lib/http/client'
import { exactJsonText, parseExactJson } from '@/lib/values/exact-json'

const STALE_MS = 15_000

/** Retries failures that may be temporary; an error response below 500 is shown immediately. */
export const makeQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (count, error) => count < 2 && isPassing(error),
        refetchOnWindowFocus: false,
      },
      // Responses go from the server to the browser as text, so that numbers keep their digits.
      dehydrate: { serializeData: exactJsonText },
      hydrate: { deserializeData: parseExactJson },
    },
  })

const isPassing = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 503)

let browserClient: QueryClient | undefined

/** One client per request on the server, one per tab in the browser. */
export function getQueryClient(): QueryClient {
  if (isServer) return makeQueryClient()
  browserClient ??= makeQueryClient()
  return browserClient
}
