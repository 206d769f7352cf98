import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { ProviderRefusal } from '@/lib/users/provider-refusal'

const MAX_DETAIL = 200

/** What went wrong between this server and a provider, without anything that was a secret between them. */
export function toRefusal(error: unknown): ProviderRefusal {
  if (error instanceof ProviderRefusal) return error
  // The provider's own words stay out of the log: they may repeat a code.
  if (error instanceof AuthorizationResponseError)
    return new ProviderRefusal('OidcDenied', { error: cut(error.error) })
  if (error instanceof ResponseBodyError) {
    const code = error.error === 'invalid_grant' ? 'OidcExpired' : 'OidcInvalid'
    return new ProviderRefusal(code, { error: cut(error.error), at: 'the token endpoint' })
  }
  if (error instanceof ClientError) return ofClient(error)
  return new ProviderRefusal('OidcAway', { error: nameOf(error), code: codeOf(error) })
}

const AWAY = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM']

function ofClient({ code, message, cause }: ClientError): ProviderRefusal {
  // The words of the library, which names claims and shows no values.
  const error = cause instanceof Error && cause.message ? cause.message : message
  const detail = { error: error.slice(0, MAX_DETAIL), code, claim: claimOf(cause) }
  const isAway = code === undefined || AWAY.includes(code)
  return new ProviderRefusal(isAway ? 'OidcAway' : 'OidcInvalid', detail)
}

/** The name of the claim that was wrong. */
function claimOf(cause: unknown): string | undefined {
  const { cause: inner, claim } = (cause ?? {}) as { cause?: unknown; claim?: unknown }
  if (typeof claim === 'string') return cut(claim)
  return inner ? claimOf(inner) : undefined
}

const cut = (text: string) => text.replace(/[^\w.:-]/g, '').slice(0, MAX_DETAIL)
const nameOf = (error: unknown) => (error instanceof Error ? error.name : undefined)
const codeOf = (error: unknown) => {
  const { cause } = (error ?? {}) as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : undefined
}
