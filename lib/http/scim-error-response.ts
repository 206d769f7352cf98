import { type Failure, headersFor } from './errors'

export const SCIM_TYPE = 'application/scim+json'
export const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** An error in the form of RFC 7644, 3.12: what identity providers read, in place of the envelope. */
export function scimErrorResponse({ status, error }: Failure): Response {
  const known = error.options.meta?.scimType
  const scimType = known ?? (status === 400 ? 'invalidSyntax' : undefined)
  const body = { schemas: [SCIM_ERROR], status: String(status), scimType, detail: error.message }
  const headers = { ...headersFor(status, error), 'Content-Type': `${SCIM_TYPE}; charset=utf-8` }
  return new Response(JSON.stringify(body), { status, headers })
}
