import { queryOptions } from '@tanstack/react-query'
import { failure, fetchSignedIn } from '@/lib/http/client'
import type { ApiDocument } from './document'

export const DOCUMENT_PATH = '/api/openapi.json'

/** The document as `visitor` may see it: it differs by user. */
export const documentOptions = (visitor: string) =>
  queryOptions({
    queryKey: ['api-document', visitor],
    queryFn: ({ signal }) => fetchDocument(signal),
  })

async function fetchDocument(signal: AbortSignal): Promise<ApiDocument> {
  const response = await fetchSignedIn(DOCUMENT_PATH, { signal })
  const body = await response.json().catch(() => null)
  if (response.ok && body) return body as ApiDocument
  throw failure(response.status, body, response.headers.get('x-request-id'))
}
